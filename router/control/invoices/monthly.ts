/**
 * Issues invoices at the end of each month (UTC), and when an organization prepays again. A run
 * finds unclosed months and missing last invoices and enqueues jobs; each job sums the transfers
 * and issues the invoice. A period that could not be closed is tried again the next day.
 */
import { z } from 'zod';
import { OrganizationIdText } from '../../../shared/api/ids.ts';
import { mintId, type OrganizationId } from '../../../shared/ids.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import { monthBefore } from '../../store/month.ts';
import type { ControlParts } from '../parts.ts';
import { enqueueInvoices, INVOICE } from './due.ts';
import { issueInvoice, type NewInvoice } from './issue.ts';
import { findLastSpan, findSpan, sumSpan } from './span.ts';

const ROUND_EVERY_MS = 60_000;
/** How many jobs of each sort one run enqueues at most. */
const AT_ONCE_MAX = 100;

export type MonthlyParts = Pick<ControlParts, 'store' | 'clock' | 'random' | 'seller'>;

/** `last`: the last invoice of an organization that prepays again. */
const Payload = z.object({
  organization: OrganizationIdText,
  month: z.union([z.literal('last'), z.coerce.bigint()]),
});

export function invoiceTask({ store, clock }: MonthlyParts): ScheduledTask {
  return {
    name: INVOICE,
    everyMs: ROUND_EVERY_MS,
    async run() {
      await store.call(enqueueInvoices, { now: clock.now(), limit: AT_ONCE_MAX });
    },
  };
}

export function invoiceJob(parts: MonthlyParts): JobHandler {
  return async ({ payload }) => {
    const { organization, month } = Payload.parse(payload);
    if (month === 'last') await closeStretch(parts, organization);
    else await closeMonth(parts, organization, month);
  };
}

/** Closes the months that are over, and then the rest of the stretch. Safe to repeat. */
async function closeStretch(parts: MonthlyParts, organization: OrganizationId): Promise<void> {
  const { store } = parts;
  for (const month of (await store.call(findLastSpan, { organization }))?.unclosed ?? []) {
    await closeMonth(parts, organization, month);
  }
  const left = await store.call(findLastSpan, { organization });
  if (left === null) return;
  const { span, month } = left;
  await close(parts, { organization, month, closes: 'stretch', span });
}

/** Closes a month, and issues an invoice if anything was charged in it. Safe to repeat. */
export async function closeMonth(
  parts: MonthlyParts,
  organization: OrganizationId,
  month: bigint,
): Promise<'issued' | 'nothing' | 'closed' | 'not_over'> {
  // Check by this clock, because the job may have been enqueued by a router whose clock is ahead.
  if (month > monthBefore(parts.clock.now())) return 'not_over';
  const span = await parts.store.call(findSpan, { organization, month });
  if (!span) return 'closed';
  return await close(parts, { organization, month, closes: 'month', span });
}

async function close(
  { store, clock, random, seller }: MonthlyParts,
  wanted: Pick<NewInvoice, 'organization' | 'month' | 'closes' | 'span'>,
): Promise<'issued' | 'nothing' | 'closed'> {
  const { organization, span } = wanted;
  const sums = await sumSpan(store, organization, span);
  return await store.call(issueInvoice, {
    id: mintId('invoice', clock, random),
    audit: mintId('audit', clock, random),
    ...wanted,
    sums,
    seller,
    created: clock.now(),
  });
}
