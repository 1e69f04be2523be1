/** The public form of an answer: what the client will read, byte for byte. One form for each way to ask. */
import type { EngineChoice, EngineDelta } from '../chunk.ts';
import { count, text } from '../chunk.ts';
import { isObject } from '../json.ts';

export interface Form {
  /** What an answer begins with, before its first chunk: the role, or nothing. Empty when called again. */
  begin(): string;
  /** The bytes of one chunk's choice; empty when it has none for the client. */
  take(choice: EngineChoice): string;
  /** What goes into END: the choice of the finish chunk. */
  last(choice: EngineChoice | null): string;
  /** What is to be sent before END. */
  rest(): string;
  /** Whether the answer calls a tool. */
  readonly calledTool: boolean;
  /** Characters kept for `rest`. */
  readonly kept: number;
}

/** What every event of one answer has in common. */
export type Heading = Readonly<{
  completionId: string;
  created: number;
  model: string;
  fingerprint: string;
}>;

/** The text of an event up to its choices. */
export function eventHead(object: string, heading: Heading): string {
  const { completionId, created, model, fingerprint } = heading;
  const fields = {
    id: completionId,
    object,
    created,
    model,
    system_fingerprint: fingerprint,
  };
  return `data: ${JSON.stringify(fields).slice(0, -1)},"choices":[{"index":0,`;
}

export const EVENT_TAIL = ',"logprobs":null,"finish_reason":null}]}\n\n';

export function reasoningOf(delta: EngineDelta): string {
  return text(delta.reasoning) || text(delta.reasoning_content);
}

/** Whether a choice has nothing for anybody: no text, no call, no end. */
export function isEmpty({ delta, text: written, finish_reason: finish }: EngineChoice): boolean {
  if (typeof finish === 'string' || text(written) !== '') return false;
  return !delta || (text(delta.content) === '' && reasoningOf(delta) === '' && !delta.tool_calls);
}

/** A fragment of a tool call, with the keys that clients know and no others. */
export type ToolFragment = {
  index: number;
  id?: string;
  type?: 'function';
  function?: { name?: string; arguments?: string };
};

export function toolFragments(delta: EngineDelta): ToolFragment[] {
  if (!Array.isArray(delta.tool_calls)) return [];
  return delta.tool_calls.flatMap((value: unknown): ToolFragment[] => {
    if (!isObject(value)) return [];
    const { index, id, type, function: called } = value;
    const fragment: ToolFragment = { index: count(index) ?? 0 };
    if (typeof id === 'string') fragment.id = id;
    if (typeof id === 'string' || type === 'function') fragment.type = 'function';
    if (isObject(called)) {
      const { name, arguments: args } = called;
      fragment.function = {
        ...(typeof name === 'string' && { name }),
        ...(typeof args === 'string' && { arguments: args }),
      };
    }
    return [fragment];
  });
}
