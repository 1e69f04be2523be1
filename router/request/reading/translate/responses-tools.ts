/**
 * Translates the tools of the Responses API. A chat has only functions: those of a group
 * (`namespace`) get the group's name before their own, and calls of them have both names again in
 * the answer.
 */
import { Namespace } from '../../../../shared/api/responses.ts';
import { parse } from '../check.ts';
import { faultAt, type Fault, isFault, notSupported } from '../fault.ts';
import type { Path } from '../well-formed.ts';
import { given, type GroupedFunction, type Json, ToolList, typeOf } from './chat-draft.ts';

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
  /** The functions of groups, by their names in the chat. */
  grouped: ReadonlyMap<string, GroupedFunction>;
  ignored: readonly string[];
}>;

/** Reads the list of tools. `checkChat` checks the members of functions. */
export function toolsOf(tools: readonly unknown[]): Offered | Fault {
  const functions = new FunctionList();
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
        const fault = functions.add(member, [...at, 'tools', inner], namespace.name);
        if (fault) return fault;
      }
    } else {
      const fault = functions.add(tool, at, null);
      if (fault) return fault;
    }
  }
  const [first] = left;
  const { list, grouped } = functions;
  if (first && list.tools.length === 0) return notAFunction(first);
  return { list, grouped, ignored: [...ignored] };
}

class FunctionList {
  readonly list = new ToolList();
  readonly grouped = new Map<string, GroupedFunction>();
  /** The group of each function, by the function's name in the chat. */
  readonly #groups = new Map<string, string | null>();

  add(tool: unknown, at: Path, namespace: string | null): Fault | null {
    if (typeOf(tool) !== 'function') return notAFunction(at);
    const { name, ...members } = tool as Json;
    const described = given(members, DESCRIPTION);
    if (typeof name !== 'string') {
      this.list.add({ name, ...described }, at);
      return null;
    }
    const joined = joinedName(namespace, name);
    const taken = this.#groups.get(joined);
    if (taken !== undefined && taken !== namespace) return nameTaken(at, joined);
    this.#groups.set(joined, namespace);
    if (namespace !== null) this.grouped.set(joined, { namespace, name });
    this.list.add({ name: joined, ...described }, at);
    return null;
  }
}

/** The model could not say which of the two it calls. */
function nameTaken(at: Path, joined: string): Fault {
  return faultAt(
    'invalid_value',
    [...at, 'name'],
    (param) => `${param}: the model would know another function by the same name, ${joined}.`,
  );
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
