/** Translates a body of the Messages API to a chat. */
import {
  adviceFor,
  isAsked,
  nativeSwitch,
  notHonoured,
  notOffered,
} from '../../../../shared/api/parameters.ts';
import { Blocks, MessagesRequest, MessagesTool } from '../../../../shared/api/messages.ts';
import { SAMPLING_PARAMETERS } from '../../../../shared/catalog.ts';
import { parse } from '../check.ts';
import { type Fault, isFault, notSupported } from '../fault.ts';
import type { Path } from '../well-formed.ts';
import { given, type Json, MessageList, ToolList, type Translated, typeOf } from './chat-draft.ts';
import { withExactInputs } from './exact-inputs.ts';
import { addTurn } from './messages-turn.ts';

/** The fields that have the same name and meaning in a chat. */
export const SAME = [
  'model',
  'stream',
  'usage',
  ...SAMPLING_PARAMETERS.filter((name) => name !== 'stop'),
] as const;

/**
 * Claude Code begins its instructions with a line about its own billing, which differs in each
 * request. At the start of the prompt, it would keep all the rest from the prefix cache.
 */
const BILLING_LINE = /^x-anthropic-billing-header:[^\n]*\n?/;

export function translateMessages(object: Json, text: string): Translated | Fault {
  const early = refused(object);
  if (early) return early;
  const body = parse(MessagesRequest, withExactInputs(object, text), []);
  if (isFault(body)) return body;
  const list = new MessageList();
  const fault = addInstructions(list, body.system ?? []) ?? addTurns(list, body.messages);
  if (fault) return fault;
  const tools = toolsOf(body.tools ?? [], list.toolsFound);
  if (isFault(tools)) return tools;
  const chat: Record<string, unknown> = {
    ...given(object, SAME),
    messages: list.messages,
    reasoning: reasoningOf(body),
    ...toolChoice(body.tool_choice),
  };
  if (body.stop_sequences && body.stop_sequences.length > 0) chat['stop'] = body.stop_sequences;
  if (tools.tools.length > 0) chat['tools'] = tools.tools;
  return {
    chat,
    nameOf: (param) => list.nameIn('messages', tools.nameIn(param)),
    settings: null,
    ignored: notHonoured(object),
    requiresReasoning: false,
    argumentsCounted: true,
  };
}

function refused(object: Json): Fault | null {
  const { thinking: _thinking, ...rest } = object;
  const native = nativeSwitch(rest);
  if (native !== null) return notSupported([native], 'use thinking');
  const field = notOffered('messages', object);
  if (field !== null) return notSupported([field], adviceFor(field));
  const config = object['output_config'];
  if (typeof config !== 'object' || config === null || !isAsked({ ...config }, 'format')) {
    return null;
  }
  return notSupported(['output_config', 'format'], 'say in the prompt what to write');
}

function addInstructions(list: MessageList, system: string | readonly unknown[]): Fault | null {
  const add = (text: string, at: Path) => {
    const instructions = text.replace(BILLING_LINE, '');
    if (instructions !== '') list.addSystem(instructions, at);
  };
  if (typeof system === 'string') {
    add(system, ['system']);
    return null;
  }
  for (const [index, value] of system.entries()) {
    const block = parse(Blocks.text, value, ['system', index]);
    if (isFault(block)) return block;
    add(block.text, ['system', index]);
  }
  return null;
}

function addTurns(list: MessageList, turns: readonly unknown[]): Fault | null {
  for (const [index, turn] of turns.entries()) {
    const fault = addTurn(list, turn, ['messages', index]);
    if (fault) return fault;
  }
  if (list.messages.at(-1)?.['role'] !== 'assistant') return null;
  return notSupported(
    ['messages', turns.length - 1, 'role'],
    'the start of an answer cannot be given: end with a message of the user',
  );
}

/** Without `thinking`, clients of this API expect no thinking in the answer. */
function reasoningOf({ thinking, output_config }: MessagesRequest): Json {
  if (!thinking || thinking.type === 'disabled') return { enabled: false };
  const effort = output_config?.effort ?? null;
  const budget = thinking.type === 'enabled' ? (thinking.budget_tokens ?? null) : null;
  return {
    enabled: true,
    ...(effort !== null && { effort }),
    ...(effort === null && budget !== null && { max_tokens: budget }),
  };
}

/**
 * Tools with `defer_loading` are unknown to the model until a result names them: the client searches
 * them, and names those that it found.
 */
function toolsOf(tools: readonly unknown[], found: ReadonlySet<string>): ToolList | Fault {
  const list = new ToolList();
  for (const [index, value] of tools.entries()) {
    const at = ['tools', index];
    const type = typeOf(value) ?? 'custom';
    if (type !== 'custom') {
      const advice = 'only tools with an input_schema are available: leave it out, or define it so';
      return notSupported([...at, 'type'], advice);
    }
    const tool = parse(MessagesTool, value, at);
    if (isFault(tool)) return tool;
    const { name, description, input_schema: parameters, strict } = tool;
    if (tool.defer_loading && !found.has(name)) continue;
    list.add({ name, description, parameters, strict }, at);
  }
  return list;
}

function toolChoice(choice: MessagesRequest['tool_choice']): Json {
  if (!choice) return {};
  const parallel = choice.disable_parallel_tool_use ? { parallel_tool_calls: false } : {};
  switch (choice.type) {
    case 'any':
      return { ...parallel, tool_choice: 'required' };
    case 'auto':
    case 'none':
      return { ...parallel, tool_choice: choice.type };
    case 'tool':
      return {
        ...parallel,
        tool_choice: { type: 'function', function: { name: choice.name } },
      };
  }
}
