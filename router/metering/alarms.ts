/** Counts the audit alarms of this router since its start, for the operators of the hosts. */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { type Alarm, type AlarmKind, SUBJECTS_MAX } from './subject.ts';

export type AlarmCount = Readonly<{ kind: AlarmKind; count: number; last: number }>;

/**
 * The result of a sample. `recounted`: another host counted it. `by_band`: compared with what hosts
 * usually report. `not_finished`: the answer did not finish. `failed`: the audit itself failed.
 */
export type AuditResult = 'recounted' | 'by_band' | 'not_finished' | 'failed';

export class Alarms {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #workers = new LRUCache<string, Map<AlarmKind, AlarmCount>>({ max: SUBJECTS_MAX });

  readonly #audits: Record<AuditResult, number> = {
    recounted: 0,
    by_band: 0,
    not_finished: 0,
    failed: 0,
  };

  constructor({ clock, log }: Readonly<{ clock: Clock; log: Log }>) {
    this.#clock = clock;
    this.#log = log;
  }

  raise({ worker, agent, model, kind, by, ratio, samples }: Alarm): void {
    const kinds = this.#workers.get(worker) ?? new Map<AlarmKind, AlarmCount>();
    this.#workers.set(worker, kinds);
    const count = (kinds.get(kind)?.count ?? 0) + 1;
    kinds.set(kind, { kind, count, last: this.#clock.now() });
    const rounded = Math.round(ratio * 100) / 100;
    this.#log.warn(
      { worker, agent, model, kind, by, ratio: rounded, samples },
      'host reported token counts that do not fit its requests or answers',
    );
  }

  /** Counts a sample. */
  audited(how: AuditResult): void {
    this.#audits[how] += 1;
  }

  get audits(): Readonly<Record<AuditResult, number>> {
    return this.#audits;
  }

  of(worker: string): AlarmCount[] {
    return [...(this.#workers.get(worker)?.values() ?? [])];
  }

  *all(): Iterable<AlarmCount & { worker: string }> {
    for (const [worker, kinds] of this.#workers) {
      for (const count of kinds.values()) yield { worker, ...count };
    }
  }
}
