/**
 * Health checks: probes the workers whose breaker has a probe due. A probe generates one token over
 * the same link, agent and engine as any request, because an engine that hangs may still answer
 * everything else. Nobody is charged, and no customer's cache is touched.
 */
import { createHash } from 'node:crypto';
import type { Clock, Timer } from '../../shared/clock.ts';
import { limits } from '../../shared/limits.ts';
import type { Random } from '../../shared/random.ts';
import type { End } from '../../shared/wire/messages.ts';
import type { ProbeResult } from './breaker.ts';
import type { Fleet } from './fleet.ts';
import type { Stream } from './stream.ts';
import type { Worker } from './worker.ts';

const CHECK_EVERY_MS = 250;
/** A salt of no organization: the salts of organizations are HMACs. */
const SALT = createHash('sha256').update('penstock probe').digest('hex').slice(0, 32);
const PROMPT_TOKENS = 16;
const ANSWER_BYTES_MAX = 64 * 1024;

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
      if (worker.phase === 'ready' && worker.breaker.isDue(clock.monotonic())) this.#probe(worker);
    }
  }

  #probe(worker: Worker): void {
    const { clock } = this.#parts;
    const [model] = worker.models;
    if (model === undefined) return;
    worker.breaker.probing();
    let stream: Stream | null = null;
    let isOver = false;
    const over = (result: ProbeResult) => {
      if (isOver) return;
      isOver = true;
      late.cancel();
      stream?.drop();
      worker.breaker.probed(result, clock.monotonic());
    };
    const late = clock.after(limits.probeMsMax, () => over('failed'));
    worker.take();
    stream = worker.session.open(worker, this.#open(model), bodyOf(model), {
      delta: () => {},
      counts: () => {},
      ended: (_prompt, completion, end) => over(resultOf(end, completion)),
      // The worker has no room; its other requests show whether it works.
      refused: () => over('unknown'),
      lost: () => over('failed'),
    });
  }

  #open(model: string) {
    const { random } = this.#parts;
    const name = `probe-${Buffer.from(random.bytes(12)).toString('hex')}`;
    return {
      request: name,
      attempt: 1,
      model,
      endpoint: 'chat',
      streamed: true,
      completionId: `chatcmpl-${name}`,
      maxTokens: 1,
      salt: SALT,
      chunks: '',
      promptTokens: PROMPT_TOKENS,
      uncachedTokens: PROMPT_TOKENS,
      grant: { tokens: 1, bytes: ANSWER_BYTES_MAX, final: true },
    } as const;
  }
}

function resultOf(end: End, completion: number): ProbeResult {
  if (end.outcome === 'finished' && completion > 0) return 'generated';
  return end.outcome === 'failed' && end.reason === 'busy' ? 'unknown' : 'failed';
}

function bodyOf(model: string): Buffer {
  const messages = [{ role: 'user', content: 'Say hello.' }];
  return Buffer.from(JSON.stringify({ model, messages, max_tokens: 1, stream: true }));
}
