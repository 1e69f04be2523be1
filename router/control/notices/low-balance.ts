/**
 * Notifies an organization, by email and webhook, once each time its balance falls below its
 * threshold. Holds of running requests are not counted, because they come and go; the balance falls
 * only by what was used.
 */
import type { OrganizationId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { type Db, readProcedure, writeProcedure } from '../../store/procedure.ts';
import { postLetter } from '../mail/letter.ts';
import type { ControlParts } from '../parts.ts';
import { postEvent } from '../webhooks/events.ts';

const EVERY_MS = 10_000;
const AT_ONCE_MAX = 200;

/**
 * Finds organizations that are below their threshold without a notice, and those that had a notice
 * and are not below it any more.
 */
export const findBalanceTurns = readProcedure<
  Readonly<{ limit: number }>,
  readonly OrganizationId[]
>('findBalanceTurns', async (db, { limit }) => {
  const rows = await balances(db)
    .select('organizations.id')
    .where('organizations.deleted', 'is', null)
    // Most organizations have no threshold, and their accounts need not be read.
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
});

function balances(db: Db) {
  return db.selectFrom('organizations').innerJoin('accounts', 'accounts.id', 'organizations.id');
}

/**
 * `told`: the balance is low, and an email was queued. `armed`: the balance has recovered, so that
 * the next fall causes a notice again.
 */
export const noteBalance = writeProcedure<
  Readonly<{ organization: OrganizationId; now: number }>,
  'told' | 'armed' | 'nothing'
>('noteBalance', async (db, { organization, now }) => {
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
  const turned = await db
    .updateTable('organizations')
    .set({ low_balance_noted: isLow ? milliseconds(now) : null })
    .where('id', '=', organization)
    // Another router may have been faster.
    .where('low_balance_noted', isLow ? 'is' : 'is not', null)
    .returning('id')
    .executeTakeFirst();
  if (!turned) return 'nothing';
  if (!isLow) return 'armed';
  const data = { balance: formatUsd(balance), threshold: formatUsd(threshold) };
  const told = { occasion: `${organization}/${Math.round(now)}`, created: now };
  await postLetter(db, { kind: 'low-balance', organization, ...data }, told);
  await postEvent(db, { type: 'balance.low', data }, { organization, ...told });
  return 'told';
});

export function lowBalanceTask({
  store,
  clock,
}: Pick<ControlParts, 'store' | 'clock'>): ScheduledTask {
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
