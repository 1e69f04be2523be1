/**
 * Why a job failed, as the store keeps it and as operators see it: a code of ours, or the class of
 * the error and its message without what may be secret (error-text.ts). The router's log has all of
 * it. A stored fault is `CLASS`, `CLASS CODE`, or one of these with ` | ` and the message.
 */
import { publicErrorText } from './error-text.ts';

const FAULTS = {
  mail_refused: 'The mail server did not accept the email',
  no_handler: 'This router cannot do this kind of job: its configuration lacks what the job needs',
  router_stopped: 'The router that ran the job died',
} as const;

type FaultCode = keyof typeof FAULTS;

/** A code of another system, such as `ECONNREFUSED` or `EMESSAGE 450`. */
const DETAIL = /^[A-Z0-9_]{1,40}(?: [A-Z0-9_]{1,40})?$/;
const STORED = /^(?<name>[A-Za-z_]{1,60})(?: (?<detail>.*))?$/;
/** Routers of earlier versions stored the class and the message. */
const STORED_EARLIER = /^(?<name>[A-Z][A-Za-z]{0,59}):/;
/** Routers of earlier versions show what comes before it. */
const BEFORE_TEXT = ' | ';
const ROUTER_DIED_EARLIER = 'its router died';

/** An error whose reason our code knows, and which operators may see. */
export class JobFault extends Error {
  override name = 'JobFault';
  readonly code: FaultCode;
  readonly detail: string;

  /** `detail`: a code of another system. Anything else is left out. */
  constructor(code: FaultCode, detail = '') {
    super(detail === '' ? FAULTS[code] : `${FAULTS[code]}: ${detail}`);
    this.code = code;
    this.detail = detail;
  }
}

/**
 * Returns what the store keeps of an error: a code or a class, a code of another system, and the
 * message of an error that is not ours.
 */
export function storedFault(error: unknown): string {
  if (error instanceof JobFault) return withDetail(error.code, error.detail);
  if (!(error instanceof Error)) return 'Error';
  const { name, code } = error as Error & Readonly<{ code?: unknown }>;
  const kind = withDetail(/^[A-Za-z]{1,60}$/.test(name) ? name : 'Error', code);
  const text = publicErrorText(messageOf(error));
  return text === '' ? kind : `${kind}${BEFORE_TEXT}${text}`;
}

/** The message, with that of the cause: "fetch failed" alone says nothing. */
function messageOf({ message, cause }: Error): string {
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}

function withDetail(name: string, detail: unknown): string {
  return typeof detail === 'string' && DETAIL.test(detail) ? `${name} ${detail}` : name;
}

/** Returns what operators see of a stored fault. Null for a job that has not failed. */
export function shownFault(stored: string | null): string | null {
  if (stored === null) return null;
  if (stored === ROUTER_DIED_EARLIER) return FAULTS.router_stopped;
  const [kind = '', ...texts] = stored.split(BEFORE_TEXT);
  const text = STORED.test(kind) ? publicErrorText(texts.join(BEFORE_TEXT)) : '';
  const shown = shownKind(kind);
  return text === '' ? shown : `${shown}: ${text}`;
}

function shownKind(stored: string): string {
  const { name = 'Error', detail = '' } = (STORED.exec(stored) ?? STORED_EARLIER.exec(stored))
    ?.groups ?? { name: 'Error' };
  const isOurs = Object.hasOwn(FAULTS, name);
  // Words in lower case that are no code of ours are a message of an earlier version.
  const what = isOurs ? FAULTS[name as FaultCode] : /^[A-Z]/.test(name) ? name : 'Error';
  if (!DETAIL.test(detail)) return what;
  return isOurs ? `${what}: ${detail}` : `${what} ${detail}`;
}
