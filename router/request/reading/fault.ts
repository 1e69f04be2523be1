/** A fault in a request body. */
import type { z } from 'zod';
import { fieldPath } from '../../../shared/api/inference.ts';
import type { RefusalCode } from '../../../shared/refusals.ts';
import type { Path } from './well-formed.ts';

/** A class, because any plain object could be a value that the client sent. */
export class Fault {
  readonly code: RefusalCode;
  readonly param: string | null;
  /** Null when the code says enough. */
  readonly message: string | null;
  /** The model that the body names, shortened. Null when it names none, or is no JSON object. */
  readonly model: string | null;

  constructor(
    code: RefusalCode,
    param: string | null = null,
    message: string | null = null,
    model: string | null = null,
  ) {
    this.code = code;
    this.param = param;
    this.message = message;
    this.model = model;
  }

  /** The same fault of a body that names this model. */
  ofModel(model: unknown): Fault {
    const { code, param, message } = this;
    return typeof model === 'string' ? new Fault(code, param, message, short(model)) : this;
  }

  /** The same fault in a field that its client knows by another name. */
  renamed(nameOf: (param: string) => string): Fault {
    const { code, param, message } = this;
    if (param === null) return this;
    const name = nameOf(param);
    return new Fault(code, name, message?.replace(param, () => name) ?? null);
  }

  /** A plain copy, for messages between threads, where the class is lost. */
  plain(): PlainFault {
    const { code, param, message, model } = this;
    return { code, param, message, model };
  }
}

export type PlainFault = Readonly<{
  code: RefusalCode;
  param: string | null;
  message: string | null;
  model: string | null;
}>;

/** The longest path or message. Both quote keys that a client chooses, so they are truncated. */
const TEXT_CHARS_MAX = 256;

export function isFault(value: unknown): value is Fault {
  return value instanceof Fault;
}

export function faultAt(
  code: RefusalCode,
  path: readonly PropertyKey[],
  say: (param: string) => string,
): Fault {
  const param = short(fieldPath(path));
  return new Fault(code, param, short(say(param)));
}

export function invalidJson(message: string | null = null): Fault {
  return new Fault('invalid_json', null, message);
}

export function tooMany(path: Path, max: number, what: string): Fault {
  return faultAt('invalid_value', path, (param) => `${param}: at most ${max} ${what}.`);
}

/** A field that is refused. The advice says what to do instead. */
export function notSupported(path: readonly PropertyKey[], advice: string): Fault {
  return faultAt('unsupported_parameter', path, (param) => `${param} is not supported: ${advice}.`);
}

export function illFormed(path: Path): Fault {
  return faultAt('invalid_value', path, (param) => `${param}: ${ILL_FORMED}`);
}

const ILL_FORMED = 'the text has half of a surrogate pair, so it is not well-formed Unicode';

/** The first fault that a schema found in the value at `at`. */
export function schemaFault(error: z.ZodError, value: unknown, at: Path): Fault {
  const first = error.issues[0] as z.core.$ZodIssue;
  if (first.code === 'unrecognized_keys') {
    const unknown = [...at, ...first.path, ...first.keys.slice(0, 1)];
    return faultAt(
      'unsupported_parameter',
      unknown,
      (param) => `${param} is not a field of this request.`,
    );
  }
  const { path, message } = deepest(first);
  const isMissing = path.length > 0 && path.reduce<unknown>(step, value) === undefined;
  return faultAt(isMissing ? 'missing_field' : 'invalid_value', [...at, ...path], (param) =>
    isMissing ? `${param} is required.` : `${param}: ${message}`,
  );
}

function step(holder: unknown, key: PropertyKey): unknown {
  return (holder as Record<PropertyKey, unknown> | null | undefined)?.[key];
}

/** For a union, the alternative whose path is the longest describes the fault best. */
function deepest(issue: z.core.$ZodIssue): { path: PropertyKey[]; message: string } {
  let best = { path: issue.path, message: issue.message };
  if (issue.code !== 'invalid_union') return best;
  for (const [first] of issue.errors) {
    if (!first) continue;
    const inner = deepest(first);
    if (inner.path.length > 0) {
      const path = [...issue.path, ...inner.path];
      if (path.length > best.path.length) best = { path, message: inner.message };
    }
  }
  return best;
}

function short(text: string): string {
  if (text.length <= TEXT_CHARS_MAX) return text.toWellFormed();
  return `${text.slice(0, TEXT_CHARS_MAX).toWellFormed()}…`;
}
