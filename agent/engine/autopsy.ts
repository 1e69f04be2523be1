/** Whether an engine that broke an answer off has died of it, or only failed. */
import { type Asking, ask } from './ask.ts';

/** The router waits for it before it tries another worker. */
const AUTOPSY_MS_MAX = 500;

export class Autopsy {
  readonly #asking: () => Asking;
  #finding: Promise<'engine' | 'engine_died'> | null = null;

  constructor(asking: () => Asking) {
    this.#asking = asking;
  }

  /** Asked once for all the answers that it broke off together. */
  cause(): Promise<'engine' | 'engine_died'> {
    this.#finding ??= causeOf(this.#asking()).finally(() => {
      this.#finding = null;
    });
    return this.#finding;
  }
}

/** Nobody listens, or what listens says that it does not work. One that is only late lives. */
async function causeOf(asking: Asking): Promise<'engine' | 'engine_died'> {
  const answer = await ask(asking, { path: '/health', timeoutMs: AUTOPSY_MS_MAX });
  const isDead = typeof answer === 'string' ? answer === 'unreachable' : answer.status >= 500;
  return isDead ? 'engine_died' : 'engine';
}
