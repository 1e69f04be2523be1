/** Decides whether the model calls a tool, which one, and with what arguments. */
import { MARKER } from '../text/chat-template.ts';
import { keyWords, skim } from '../text/reading.ts';
import { fillSchema, type Json } from './json-schema.ts';
import { marker, type Source, verbatim } from './script.ts';
import { wordingsOf } from './wordings.ts';

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Json | null;
}

export type ToolChoice =
  | { readonly kind: 'none' | 'auto' | 'required' }
  | { readonly kind: 'named'; readonly name: string };

export interface Call {
  readonly name: string;
  readonly arguments: string;
}

const CALLS_MAX = 4;

export interface ToolInput {
  readonly tools: readonly Tool[];
  readonly choice: ToolChoice;
  readonly parallel: boolean;
  /** The last message of the user. */
  readonly prompt: string;
  /** Whether the conversation ends with a tool's result, which the answer has to put into words. */
  readonly answersTool: boolean;
}

export function chooseCalls(input: ToolInput): Call[] {
  const words = wordingsOf(skim(input.prompt));
  return chosen(input)
    .slice(0, input.parallel ? CALLS_MAX : 1)
    .map(({ name, parameters }) => ({
      name,
      arguments: JSON.stringify(fillSchema(parameters ?? { type: 'object' }, words)),
    }));
}

function chosen({ tools, choice, prompt, answersTool }: ToolInput): Tool[] {
  switch (choice.kind) {
    case 'none':
      return [];
    case 'named':
      return tools.filter(({ name }) => name === choice.name).slice(0, 1);
    case 'auto':
      return answersTool ? [] : fitting(tools, skim(prompt));
    case 'required': {
      const fit = fitting(tools, skim(prompt));
      return fit.length > 0 ? fit : tools.slice(0, 1);
    }
    default:
      return choice satisfies never;
  }
}

/**
 * Returns all tools that the prompt names, or else the one that shares most words with it, if any.
 */
function fitting(tools: readonly Tool[], prompt: string): Tool[] {
  const lower = prompt.toLowerCase();
  const named = tools.filter(({ name }) => name !== '' && lower.includes(name.toLowerCase()));
  if (named.length > 0) return named;
  const said = new Set(stems(prompt));
  let best: Tool | null = null;
  let bestScore = 0;
  for (const tool of tools) {
    const common = (text: string): number => stems(text).filter((stem) => said.has(stem)).length;
    // One word of a tool's name is enough. Otherwise two words of its description are needed.
    const score =
      2 * common(tool.name.replaceAll(/[_-]|(?<=[a-z])(?=[A-Z])/g, ' ')) + common(tool.description);
    if (score > bestScore) [best, bestScore] = [tool, score];
  }
  return best && bestScore >= 2 ? [best] : [];
}

const VAGUE = new Set([
  'call',
  'create',
  'current',
  'fetch',
  'find',
  'function',
  'given',
  'look',
  'returns',
  'search',
  'tool',
  'user',
  'using',
]);

function stems(text: string): string[] {
  return keyWords(text.toLowerCase(), 64)
    .filter((word) => !VAGUE.has(word))
    .map((word) => word.replace(/(?:ies|es|s|ing|ed)$/, ''));
}

/**
 * Returns the tokens of the calls. The markers are removed by the parser, and the client sees the
 * names and the arguments.
 */
export function callSources(calls: readonly Call[]): Source[] {
  return calls.flatMap((call) => [
    marker(MARKER.callBegin),
    nameSource(call.name),
    marker(MARKER.callArguments),
    verbatim('tool_arguments', call.arguments),
    marker(MARKER.callEnd),
  ]);
}

/** Returns the tokens of a name, which a parser sends only when it is complete. */
function nameSource(name: string): Source {
  const pieces = verbatim('silent', name);
  let token = pieces.next();
  return {
    next() {
      const now = token;
      token = pieces.next();
      if (!now) return null;
      return token ? { ...now, text: '' } : { ...now, kind: 'tool_name', text: name };
    },
  };
}
