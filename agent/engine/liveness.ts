/**
 * Signs of life of an engine: when it last sent a part of an answer, and whether an engine that
 * broke off an answer has died or only failed the request.
 */
import type { EngineClient } from './client.ts';

/**
 * The timeout of the check. It is short, because the router waits for the result before it tries
 * another worker.
 */
const LIVENESS_CHECK_MS_MAX = 500;

export class Liveness {
  readonly #client: EngineClient;
  #check: Promise<boolean> | null = null;
  #wroteAt = Number.NEGATIVE_INFINITY;

  constructor(client: EngineClient) {
    this.#client = client;
  }

  /** When the engine last sent a chunk of an answer, in monotonic ms. */
  get wroteAt(): number {
    return this.#wroteAt;
  }

  /** Hot path. Records that a chunk of an answer came at `now` (monotonic ms). */
  wrote(now: number): void {
    this.#wroteAt = now;
  }

  /** Whether the engine has died. Answers that break off together share one check. */
  isDead(): Promise<boolean> {
    this.#check ??= isDead(this.#client).finally(() => {
      this.#check = null;
    });
    return this.#check;
  }
}

/**
 * Returns true when the engine is unreachable or answers /health with a status of 500 or more. An
 * engine that does not answer in time counts as alive.
 */
async function isDead(client: EngineClient): Promise<boolean> {
  const response = await client.query({ path: '/health', timeoutMs: LIVENESS_CHECK_MS_MAX });
  if (typeof response === 'string') return response === 'unreachable';
  return response.status >= 500;
}
