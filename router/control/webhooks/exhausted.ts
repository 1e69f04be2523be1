/**
 * Tells an organization that its credit is exhausted: once a request was refused for lack of credit,
 * and again only after it got credit. The balance itself says nothing, because it is seldom exactly
 * zero when it does not cover a request any more.
 */
import type { OrganizationId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import { lockAccount } from '../../ledger/locks.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { readProcedure, writeProcedure } from '../../store/procedure.ts';
import { postEvent, wantsEvent } from './events.ts';

/** Whether somebody is to be told: an active endpoint wants the event, and it has not been noted. */
export const isExhaustionNews = readProcedure<OrganizationId, boolean>(
  'isExhaustionNews',
  async (db, organization) => {
    const endpoints = await db
      .selectFrom('webhook_endpoints as w')
      .leftJoin('exhausted_credit as x', 'x.organization', 'w.organization')
      .select('w.events')
      .where('w.organization', '=', organization)
      .where('w.active', '=', 1n)
      .where('x.organization', 'is', null)
      .execute();
    return endpoints.some(({ events }) => wantsEvent(events, 'balance.exhausted'));
  },
);

/** Locks the account, as a transfer does, which ends the note of an organization that gets credit. */
export const noteExhausted = writeProcedure<
  Readonly<{ organization: OrganizationId; now: number }>,
  'told' | 'known' | 'unknown'
>('noteExhausted', async (db, { organization, now }) => {
  const account = await lockAccount(db, organization);
  if (!account) return 'unknown';
  const noted = await db
    .insertInto('exhausted_credit')
    .values({ organization, noted: milliseconds(now) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('organization')
    .executeTakeFirst();
  if (!noted) return 'known';
  const data = { balance: formatUsd(account.balance), held: formatUsd(account.held) };
  const cause = { organization, occasion: String(Math.round(now)), created: now };
  await postEvent(db, { type: 'balance.exhausted', data }, cause);
  return 'told';
});
