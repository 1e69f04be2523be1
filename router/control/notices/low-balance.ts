/**
 * Tells an organization, once for each fall, that its balance is below what it has set. What running requests hold
 * is not looked at: it comes and goes, and the balance only falls by what was used.
 */
import type { Clock } from '../../../shared/clock.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import type { Db, Procedure } from '../../store/procedure.ts';
import type { Store } from '../../store/store.ts';
import type { Round } from '../jobs/rounds.ts';
import { postLetter } from '../mail/letter.ts';

const EVERY_MS = 10_000;
const AT_ONCE_MAX = 200;

/** Those that have fallen and were not told, and those that were told and have risen since. */
export const findBalanceTurns: Procedure<Readonly<{ limit: number }>, readonly OrganizationId[]> = {
  name: 'findBalanceTurns',
  access: 'read',
  async run(db, { limit }) {
    const rows = await balances(db)
      .select('organizations.id')
      .where('organizations.deleted', 'is', null)
      // Most have set none: their accounts need not be looked at.
      .where((row) =>
        row.or([
          row('organizations.low_balance_threshold', 'is not', null),
          row('organizations.low_balance_noted', 'is not', null),
        ]),
      )
      .where((row) =>
        row.or([
          row.and([
            row('organizations.low_balance_noted', 'is', null),
            row('accounts.balance', '<', row.ref('organizations.low_balance_threshold')),
          ]),
          row.and([
            row('organizations.low_balance_noted', 'is not', null),
            row.or([
              row('accounts.balance', '>=', row.ref('organizations.low_balance_threshold')),
              row('organizations.low_balance_threshold', 'is', null),
            ]),
          ]),
        ]),
      )
      .orderBy('organizations.id')
      .limit(limit)
      .execute();
    return rows.map(({ id }) => id);
  },
};

function balances(db: Db) {
  return db.selectFrom('organizations').innerJoin('accounts', 'accounts.id', 'organizations.id');
}

export const noteBalance: Procedure<
  Readonly<{ organization: OrganizationId; now: number }>,
  'told' | 'armed' | 'nothing'
> = {
  name: 'noteBalance',
  access: 'write',
  async run(db, { organization, now }) {
    const row = await balances(db)
      .select([
        'accounts.balance',
        'organizations.low_balance_threshold as threshold',
        'organizations.low_balance_noted as noted',
      ])
      .where('organizations.id', '=', organization)
      .executeTakeFirst();
    if (!row) return 'nothing';
    const { balance, threshold, noted } = row;
    const isLow = threshold !== null && balance < threshold;
    if (isLow === (noted !== null)) return 'nothing';
    await db
      .updateTable('organizations')
      .set({ low_balance_noted: isLow ? BigInt(Math.round(now)) : null })
      .where('id', '=', organization)
      .execute();
    if (!isLow) return 'armed';
    await postLetter(
      db,
      {
        kind: 'low-balance',
        organization,
        balance: formatUsd(balance),
        threshold: formatUsd(threshold),
      },
      { occasion: `${organization}/${Math.round(now)}`, created: now },
    );
    return 'told';
  },
};

export function lowBalanceRound({
  store,
  clock,
}: Readonly<{ store: Pick<Store, 'call'>; clock: Clock }>): Round {
  return {
    name: 'low balance',
    everyMs: EVERY_MS,
    async run() {
      for (const organization of await store.call(findBalanceTurns, { limit: AT_ONCE_MAX })) {
        await store.call(noteBalance, { organization, now: clock.now() });
      }
    },
  };
}
