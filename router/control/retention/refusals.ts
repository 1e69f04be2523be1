/** Deletes refusals that are no longer kept, and folds old counts, in small slices. */
import type { OrganizationId } from '../../../shared/ids.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import { findHourToFold, foldRefusalHour, MINUTES_KEPT_MS } from '../../usage/refusals/fold.ts';
import {
  findBeyondLatest,
  findRefusedSince,
  forgetOldRefusals,
  trimRefusals,
} from '../../usage/refusals/forget.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { ordinalOf } from '../../usage/time-buckets.ts';
import type { ControlParts } from '../parts.ts';
import type { RetentionConfig } from './task.ts';

const EVERY_MS = 5 * 60_000;
/** Longer than the interval, as a run may be late. */
const LOOK_BACK_MS = 15 * 60_000;
export const REFUSAL_DAYS = 30;
/** Rows per transaction. Running requests wait during each one. */
const SLICE_ROWS = 500;
/** More than an organization can add between two runs. */
const SLICES_MAX = 2_000;
const ORGANIZATIONS_AT_ONCE = 100;

type Parts = Pick<ControlParts, 'store' | 'clock'>;

/** Refusals are kept for a month, or as long as usage if that is shorter. */
export function refusalsTask(parts: Parts, retention?: RetentionConfig): ScheduledTask {
  const days = Math.min(retention?.usageDays ?? REFUSAL_DAYS, REFUSAL_DAYS);
  /** The hour before which all are folded. */
  let folded = 0;
  return {
    name: 'forget refusals',
    everyMs: EVERY_MS,
    async run(stopping) {
      const now = parts.clock.now();
      const before = now - days * DAY_MS;
      const old = { before, rows: SLICE_ROWS };
      await inSlices(() => parts.store.call(forgetOldRefusals, old), stopping);
      await trimAll(parts, now - LOOK_BACK_MS, stopping);
      const until = ordinalOf('hour', now - MINUTES_KEPT_MS);
      folded = await foldHours(parts, { from: folded, until }, stopping);
    },
  };
}

type Hours = Readonly<{ from: number; until: number }>;

/** Returns the hour before which all are folded. */
async function foldHours({ store }: Parts, hours: Hours, stopping?: AbortSignal): Promise<number> {
  const { until } = hours;
  let { from } = hours;
  while (from < until) {
    const hour = await store.call(findHourToFold, { from, until });
    if (hour === null) return until;
    const slice = { hour, rows: SLICE_ROWS };
    if (!(await inSlices(() => store.call(foldRefusalHour, slice), stopping))) return hour;
    from = hour + 1;
  }
  return from;
}

async function trimAll({ store }: Parts, since: number, stopping?: AbortSignal): Promise<void> {
  const limit = ORGANIZATIONS_AT_ONCE;
  let after: OrganizationId | null = null;
  for (;;) {
    const found: readonly OrganizationId[] = await store.call(findRefusedSince, {
      since,
      after,
      limit,
    });
    for (const organization of found) {
      if (stopping?.aborted) return;
      for (const beyond of await store.call(findBeyondLatest, organization)) {
        const slice = { organization, ...beyond, rows: SLICE_ROWS };
        await inSlices(() => store.call(trimRefusals, slice), stopping);
      }
    }
    after = found.at(-1) ?? null;
    if (found.length < limit) return;
  }
}

/** Returns whether nothing is left to do. */
async function inSlices(slice: () => Promise<number>, stopping?: AbortSignal): Promise<boolean> {
  for (let done = 0; done < SLICES_MAX; done++) {
    if (stopping?.aborted) return false;
    if ((await slice()) < SLICE_ROWS) return true;
  }
  return false;
}
