/**
 * Calls to the data plane, directly from the browser. Their key comes from the management API, is
 * valid for some minutes, and is kept in this object only: it is never stored and never shown.
 */
import { ApiError } from '../../api/client.ts';
import type { Session } from '../../api/playground.ts';
import { monotonic, now } from '../../clock.ts';
import type { AnswerEvent, Fault } from './answer.ts';
import type { SendChat, Hearer } from './chat.ts';
import { Intake } from './intake.ts';
import type { Body } from './request.ts';

/** A key that expires sooner than this is replaced before a request. */
const LEFT_MS_MIN = 60_000;
const UNREACHABLE = 'Could not reach the service. Check your connection and try again.';

export class DataPlane {
  readonly #open: () => Promise<Session>;
  #held: Session | null = null;
  #asked: Promise<Session> | null = null;

  /** `open` opens a session; it rejects with an ApiError. */
  constructor(open: () => Promise<Session>) {
    this.#open = open;
  }

  readonly ask: SendChat = async (body, hearer) => {
    const { hear, signal } = hearer;
    hear({ kind: 'asked', at: monotonic() });
    try {
      const { response, keyId } = await this.#send(body, hearer);
      hear({ kind: 'accepted', requestId: response.headers.get('x-request-id'), keyId });
      if (response.ok) hear(await read(response, hearer));
      else hear({ kind: 'failed', at: monotonic(), fault: await faultOf(response) });
    } catch (error) {
      const at = monotonic();
      if (signal.aborted) hear({ kind: 'stopped', at });
      else hear({ kind: 'failed', at, fault: unsent(error) });
    }
  };

  /**
   * Sends a request, and on status 401 sends it once more with a new session: the key may have been
   * revoked before it expired, or the organization may have moved to another region.
   */
  async #send(
    body: Body,
    { signal, hear }: Hearer,
  ): Promise<Readonly<{ response: Response; keyId: string }>> {
    const text = JSON.stringify(body);
    const session = await this.#session();
    hear({ kind: 'sent', at: monotonic() });
    const response = await post(session, text, signal);
    if (response.status !== 401) return { response, keyId: session.id };
    if (this.#held === session) this.#held = null;
    const next = await this.#session();
    hear({ kind: 'sent', at: monotonic() });
    return { response: await post(next, text, signal), keyId: next.id };
  }

  /** Returns the session, and opens one when needed. Concurrent calls open one session only. */
  async #session(): Promise<Session> {
    const held = this.#held;
    if (held && Date.parse(held.expires) - now() > LEFT_MS_MIN) return held;
    this.#asked ??= this.#open();
    try {
      this.#held = await this.#asked;
      return this.#held;
    } finally {
      this.#asked = null;
    }
  }
}

async function post({ base_url, key }: Session, body: string, signal: AbortSignal) {
  if (base_url === null) {
    const message =
      "This router does not know the base URL of the organization's region. Contact support.";
    throw new ApiError(0, { message, code: 'no_base_url', param: null }, null);
  }
  return await fetch(`${base_url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
    signal,
    credentials: 'omit',
    cache: 'no-store',
  });
}

/** Reads a stream to its end, however it ends. Hot path: the loop runs for every piece of it. */
async function read(response: Response, hearer: Hearer): Promise<AnswerEvent> {
  const { signal, text, thoughts, hear } = hearer;
  const intake = new Intake({
    text,
    thoughts,
    turned: (part) => hear({ kind: 'wrote', at: monotonic(), part }),
  });
  const reader = response.body?.getReader();
  try {
    const decoder = new TextDecoder();
    for (let next = await reader?.read(); next && !next.done; next = await reader?.read()) {
      intake.feed(decoder.decode(next.value, { stream: true }));
    }
  } catch {
    // The connection broke, the person stopped the answer, or the stream could not be parsed.
    // Cancelling it ends the request, so that nothing more is charged.
    void reader?.cancel().catch(() => {});
  }
  const at = monotonic();
  if (intake.ending) return { kind: 'done', at, ...intake.ending };
  if (signal.aborted) return { kind: 'stopped', at };
  if (intake.fault) return { kind: 'failed', at, fault: intake.fault };
  return { kind: 'cut', at };
}

async function faultOf(response: Response): Promise<Fault> {
  const { status } = response;
  const body = (await response.json().catch(() => null)) as {
    error?: { message?: string; code?: string; param?: string | null };
  } | null;
  const { message, code } = body?.error ?? {};
  return {
    status,
    code: code ?? 'unknown',
    message:
      message ??
      `The service returned an unexpected response with status ${status}. Try again later.`,
  };
}

/** The fault of a request without a response: opening a session or the network has failed. */
function unsent(error: unknown): Fault {
  if (error instanceof ApiError) {
    const { status, code, message } = error;
    return { status, code, message };
  }
  return { status: 0, code: 'unreachable', message: UNREACHABLE };
}
