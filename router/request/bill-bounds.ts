/**
 * How much a host may bill for one request, by what the router itself has seen of it (MONEY 18): no more prompt than
 * the request has bytes for, and its chat template; no more answer than was delivered, where none of it is withheld.
 * What is beyond is not charged. A report that is far beyond is no template and no marker: the worker is drained at once.
 */
import type { Log } from '../../shared/log.ts';
import { type AllowanceLimits, Allowances } from '../audit/allowances.ts';
import type { Alarms } from '../audit/alarms.ts';
import type { Counted } from '../audit/subject.ts';
import { limits } from '../../shared/limits.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { Worker } from '../fleet/worker.ts';
import type { Ask } from './arrive.ts';

/** So many times the bound, and so many tokens beyond it, no honest host reports. */
const GROSS = { ratio: 3, tokens: 256 } as const;

export const BILL_LIMITS: AllowanceLimits = {
  prompt: { least: limits.templateTokensEstimate, most: limits.templateTokensMax },
  completion: { least: limits.markerTokensEstimate, most: limits.markerTokensMax },
};

type BillBoundsParts = Readonly<{
  alarms: Pick<Alarms, 'raise'>;
  fleet: Pick<Fleet, 'drainWorker'>;
  log: Log;
}>;

/** A request on the worker that has it. */
export type Billed = Readonly<{ ask: Ask; worker: Pick<Worker, 'id' | 'agent'> }>;

export class BillBounds {
  readonly #parts: BillBoundsParts;
  readonly #allowances: Allowances;

  constructor(parts: BillBoundsParts, allowed: AllowanceLimits = BILL_LIMITS) {
    this.#parts = parts;
    this.#allowances = new Allowances(allowed);
  }

  promptMost({ model, promptTokensMax }: Ask): number {
    const allowance = this.#allowances.of(model.entry.id, 'prompt');
    return promptTokensMax - limits.templateTokensMax + allowance;
  }

  /** `bytes`: what was delivered of the answer. Infinite where thoughts are withheld: only the host has seen them. */
  completionMost({ model, thoughtsWithheld }: Ask, bytes: number): number {
    if (thoughtsWithheld) return Number.POSITIVE_INFINITY;
    return bytes + this.#allowances.of(model.entry.id, 'completion');
  }

  /** Looks at what a host reports of a request. */
  judge({ ask, worker }: Billed, which: Counted, reported: number, most: number): void {
    if (most === Number.POSITIVE_INFINITY) return;
    const model = ask.model.entry.id;
    const explained = most - this.#allowances.of(model, which);
    this.#allowances.learn(model, which, worker.agent, reported - explained);
    if (reported <= most * GROSS.ratio || reported - most <= GROSS.tokens) return;
    const { id, agent } = worker;
    const ratio = reported / Math.max(1, most);
    const kind = `${which}_inflated` as const;
    this.#parts.alarms.raise({ worker: id, agent, model, kind, by: 'bound', ratio, samples: 1 });
    this.#parts.log.error(
      { worker: id, agent, model, kind, reported, most },
      'worker drained: it reported far more tokens than the request can have',
    );
    this.#parts.fleet.drainWorker(id);
  }
}
