/**
 * Translates the tools of the Responses API. A chat has only functions: those of a group
 * (`namespace`) get the group's name before their own, and calls of them are divided again in the
 * answer.
 */
import { Namespace } from '../../../../shared/api/responses.ts';
import { parse } from '../check.ts';
import { type Fault, isFault, notSupported } from '../fault.ts';
import type { Path } from '../well-formed.ts';
import { given, type Json, ToolList, typeOf } from './chat-draft.ts';

/** As coding agents name the tools of MCP servers. */
const SEPARATOR = '__';

/**
 * Hosted tools that a request may list beside functions, because Codex always does. The model does
 * not get them, and the answer names them in a header.
 */
const LEFT_OUT: ReadonlySet<unknown> = new Set(['web_search', 'image_generation']);

/** The members of a function besides its name. */
const DESCRIPTION = ['description', 'parameters', 'strict'] as const;

export type Offered = Readonly<{
  list: ToolList;
  namespaces: readonly string[];
  ignored: readonly string[];
}>;

/** Reads the list of tools. `checkChat` checks the members of functions. */
export function toolsOf(tools: readonly unknown[]): Offered | Fault {
  const list = new ToolList();
  const namespaces = new Set<string>();
  const ignored = new Set<string>();
  const left: Path[] = [];
  for (const [index, tool] of tools.entries()) {
    const at = ['tools', index];
    const type = typeOf(tool);
    if (LEFT_OUT.has(type)) {
      ignored.add(`tools.${String(type)}`);
      left.push(at);
    } else if (type === 'namespace') {
      const namespace = parse(Namespace, tool, at);
      if (isFault(namespace)) return namespace;
      for (const [inner, member] of namespace.tools.entries()) {
        const fault = addFunction(list, member, [...at, 'tools', inner], namespace.name);
        if (fault) return fault;
      }
      if (namespace.tools.length > 0) namespaces.add(namespace.name);
    } else {
      const fault = addFunction(list, tool, at, null);
      if (fault) return fault;
    }
  }
  const [first] = left;
  if (first && list.tools.length === 0) return notAFunction(first);
  return { list, namespaces: [...namespaces], ignored: [...ignored] };
}

function addFunction(
  list: ToolList,
  tool: unknown,
  at: Path,
  namespace: string | null,
): Fault | null {
  if (typeOf(tool) !== 'function') return notAFunction(at);
  const { name, ...members } = tool as Json;
  const described = {
    name: typeof name === 'string' ? joinedName(namespace, name) : name,
    ...given(members, DESCRIPTION),
  };
  list.add(described, at);
  return null;
}

function notAFunction(at: Path): Fault {
  return notSupported(
    [...at, 'type'],
    'there are no hosted or custom tools: leave it out, or offer a tool of type function',
  );
}

/** The name of a function in a chat. */
export function joinedName(namespace: string | null, name: string): string {
  return namespace === null ? name : `${namespace}${SEPARATOR}${name}`;
}

/** Divides the name of a function again. The longest namespace that fits is the function's. */
export function dividedName(
  joined: string,
  namespaces: readonly string[],
): Readonly<{ namespace: string | null; name: string }> {
  const fits = namespaces.filter((name) => joined.startsWith(name + SEPARATOR));
  const namespace = fits.toSorted((a, b) => b.length - a.length)[0] ?? null;
  if (namespace === null) return { namespace, name: joined };
  return { namespace, name: joined.slice(namespace.length + SEPARATOR.length) };
}
