/**
 * Health checks: probes the workers whose breaker has a probe due. A probe generates one token over
 * the same link, agent and engine as any request, because an engine that hangs may still answer
 * everything else. Nobody is charged, and no customer's cache is touched.
 */
import { createHash } from 'node:crypto';
import type { Clock, Timer } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import type { Random } from '../../shared/random.ts';
import type { ProbeResult } from './breaker.ts';
import type { Fleet } from './fleet.ts';
import { chatBody, type OwnAnswer, type OwnRequest, sendOwnRequest } from './own-request.ts';
import type { Worker } from './worker.ts';

const CHECK_EVERY_MS = 250;
/** A salt of no organization: the salts of organizations are HMACs. */
const SALT = createHash('sha256').update('penstock probe').digest('hex').slice(0, 32);
const PROMPT_TOKENS = 16;

export type ProbeParts = Readonly<{ fleet: Fleet; clock: Clock; random: Random }>;

export class Probes implements Disposable {
  readonly #parts: ProbeParts;
  readonly #timer: Timer;

  constructor(parts: ProbeParts) {
    this.#parts = parts;
    this.#timer = parts.clock.every(CHECK_EVERY_MS, () => this.#probeDue());
  }

  [Symbol.dispose](): void {
    this.#timer.cancel();
  }

  #probeDue(): void {
    const { fleet, clock } = this.#parts;
    for (const worker of fleet.workers) {
      const isDue = worker.phase === 'ready' && worker.breaker.isDue(clock.monotonic());
      if (isDue) this.#probe(worker);
    }
  }

  #probe(worker: Worker): void {
    const { clock } = this.#parts;
    const [model] = worker.models;
    if (model === undefined) return;
    worker.breaker.probing();
    sendOwnRequest(worker, clock, this.#request(model), (answer) =>
      worker.breaker.probed(resultOf(answer), clock.monotonic()),
    );
  }

  #request(model: string): OwnRequest {
    const id = `probe-${Buffer.from(this.#parts.random.bytes(12)).toString('hex')}`;
    return {
      id,
      completionId: `chatcmpl-${id}`,
      model,
      body: chatBody(model, 'Say hello.', 1),
      promptTokens: PROMPT_TOKENS,
      maxTokens: 1,
      salt: SALT,
      answerMsMax: limits.probeMsMax,
    };
  }
}

function resultOf(answer: OwnAnswer): ProbeResult {
  // The worker has no room; its other requests show whether it works.
  if (answer === 'refused') return 'unknown';
  if (answer === 'lost') return 'failed';
  const { end, completionTokens } = answer;
  if (end.outcome === 'finished' && completionTokens > 0) return 'generated';
  return end.outcome === 'failed' && end.reason === 'busy' ? 'unknown' : 'failed';
}
