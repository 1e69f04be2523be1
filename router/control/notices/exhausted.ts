/**
 * Tells an organization, by email and webhook, that its credit is exhausted: once a request was
 * refused for lack of credit, and again only after it got credit. The balance itself says nothing,
 * because it is seldom exactly zero when it does not cover a request any more. There is no email while
 * auto-recharge is adding credit: it has emails of its own for a recharge that fails.
 */
import type { OrganizationId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import { lockAccount } from '../../ledger/locks.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { readProcedure, writeProcedure } from '../../store/procedure.ts';
import type { AccountRow } from '../../store/schema/ledger.ts';
import { postLetter } from '../mail/letter.ts';
import { addsCredit } from '../recharge/procedures.ts';
import { postEvent } from '../webhooks/events.ts';

/** Whether the organization had credit and has not been told that it is exhausted. */
export const isExhaustionNews = readProcedure<OrganizationId, boolean>(
  'isExhaustionNews',
  async (db, organization) => {
    const account = await db
      .selectFrom('accounts')
      .leftJoin('exhausted_credit', 'exhausted_credit.organization', 'accounts.id')
      .select(['accounts.floor', 'accounts.transfer_seq'])
      .where('accounts.id', '=', organization)
      .where('exhausted_credit.organization', 'is', null)
      .executeTakeFirst();
    return account !== undefined && hasHadCredit(account);
  },
);

/** Locks the account, as a transfer does, which ends the note of an organization that gets credit. */
export const noteExhausted = writeProcedure<
  Readonly<{
    organization: OrganizationId;
    /** The payment provider of this installation, if it has one. */
    provider: string | null;
    now: number;
  }>,
  'told' | 'known' | 'unknown'
>('noteExhausted', async (db, { organization, provider, now }) => {
  const account = await lockAccount(db, organization);
  if (!account || !hasHadCredit(account)) return 'unknown';
  const noted = await db
    .insertInto('exhausted_credit')
    .values({ organization, noted: milliseconds(now) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('organization')
    .executeTakeFirst();
  if (!noted) return 'known';
  const data = { balance: formatUsd(account.balance), held: formatUsd(account.held) };
  const occasion = String(Math.round(now));
  if (!(await addsCredit(db, { organization, provider, now }))) {
    const limit = account.floor < 0n ? { creditLimit: formatUsd(-account.floor) } : {};
    const at = new Date(now).toISOString();
    await postLetter(
      db,
      { kind: 'exhausted', organization, ...data, ...limit, at },
      { occasion: `${organization}/${occasion}`, created: now },
    );
  }
  const cause = { organization, occasion, created: now };
  await postEvent(db, { type: 'balance.exhausted', data }, cause);
  return 'told';
});

/**
 * An organization that never had credit has not exhausted it. Its email could go to an address that
 * nobody has confirmed, because the welcome credit is granted when the address is confirmed.
 */
function hasHadCredit({ floor, transfer_seq }: Pick<AccountRow, 'floor' | 'transfer_seq'>) {
  return floor < 0n || transfer_seq > 0n;
}
