/** Deletes usage rows that are older than the configured retention, in small slices. */
import { DAY_MS } from '../../../shared/durations.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import type { Store } from '../../store/store.ts';
import { findForgettable, forgetUsage } from '../../usage/retention/forget.ts';
import type { ControlParts } from '../parts.ts';

const EVERY_MS = 10 * 60 * 1000;
/** Rows per transaction. Running requests wait during each one. */
const SLICE_ROWS = 500;
/** Slices of one organization per run, so that a busy organization does not delay the others. */
const SLICES_MAX = 200;
const ORGANIZATIONS_AT_ONCE = 100;

export type RetentionConfig = Readonly<{
  /** How many days to keep usage rows; null keeps them forever. */
  usageDays: number | null;
}>;

export function retentionTasks(
  { store, clock }: Pick<ControlParts, 'store' | 'clock'>,
  { usageDays }: RetentionConfig = { usageDays: null },
): readonly ScheduledTask[] {
  if (usageDays === null) return [];
  return [
    {
      name: 'forget usage',
      everyMs: EVERY_MS,
      run: (stopping) => forgetBefore(store, clock.now() - usageDays * DAY_MS, stopping),
    },
  ];
}

export async function forgetBefore(
  store: Pick<Store, 'call'>,
  before: number,
  stopping?: AbortSignal,
): Promise<void> {
  const limit = ORGANIZATIONS_AT_ONCE;
  let after: OrganizationId | null = null;
  for (;;) {
    const found: readonly OrganizationId[] = await store.call(findForgettable, {
      before,
      after,
      limit,
    });
    for (const organization of found) {
      if (stopping?.aborted) return;
      await forgetSome(store, organization, before);
    }
    after = found.at(-1) ?? null;
    if (found.length < limit) return;
  }
}

async function forgetSome(
  store: Pick<Store, 'call'>,
  organization: OrganizationId,
  before: number,
): Promise<void> {
  for (let slice = 0; slice < SLICES_MAX; slice++) {
    const gone = await store.call(forgetUsage, { organization, before, rows: SLICE_ROWS });
    if (gone < SLICE_ROWS) return;
  }
}
