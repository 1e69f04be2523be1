import {
  Adjusted,
  Credit,
  CreditForecast,
  CreditState,
  LedgerPage,
  LedgerQuery,
  NewAdjustment,
  TransferPage,
  TransferQuery,
} from '../../../shared/api/credit.ts';
import { mintId } from '../../../shared/ids.ts';
import { formatUsd } from '../../../shared/money.ts';
import { type Balance, readBalance } from '../../ledger/credit.ts';
import { actingOf, personOf } from '../access/gate.ts';
import { listLedgerDays } from '../../usage/ledger-days/days.ts';
import { readSpendByDay } from '../../usage/ledger-days/spend.ts';
import { type Api, found, noSuch, Refused } from '../api.ts';
import { Idempotent } from '../idempotency/header.ts';
import { unlessReused } from '../idempotency/idempotent.ts';
import { inJsonOrCsv } from '../json-or-csv.ts';
import { OrganizationPath } from '../organizations/routes.ts';
import { answerPage } from '../pages.ts';
import type { ControlParts } from '../parts.ts';
import { answerRecharge } from '../recharge/state.ts';
import { SEVERAL } from '../usage/routes.ts';
import { creditForecast, forecastStart } from './forecast.ts';
import { answerDays, sendLedger } from './ledger-days.ts';
import { adjustOnce, listTransfersOf } from './procedures.ts';
import {
  sendTransfers,
  shownToCustomer,
  shownToOperator,
  shownTransfer,
  TRANSFERS_CSV_MAX,
} from './transfers.ts';

export type CreditParts = Pick<ControlParts, 'store' | 'clock' | 'random' | 'provider'>;

export function creditRoutes(api: Api, parts: CreditParts): void {
  const { store, clock, random } = parts;
  api.get(
    '/organizations/:organization/credit',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary:
          'Get the credit; the balance, the held and the available credit, and the state of auto-recharge',
        tags: ['credit'],
        params: OrganizationPath,
        response: { 200: CreditState },
      },
    },
    async ({ params: { organization } }) => {
      const credit = found(await store.call(readBalance, organization), 'organization');
      return { ...shownCredit(credit), recharge: await answerRecharge(parts, organization) };
    },
  );

  api.get(
    '/organizations/:organization/credit/forecast',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Get for how long the credit lasts at the recent rate of spend',
        description:
          'The rate is the average of the last 7 complete days (UTC), without those before the ' +
          'first spend.',
        tags: ['credit'],
        params: OrganizationPath,
        response: { 200: CreditForecast },
      },
    },
    async ({ params: { organization } }) => {
      const now = clock.now();
      const { balance, held, floor } = found(
        await store.call(readBalance, organization),
        'organization',
      );
      const asked = { organization, from: forecastStart(now) };
      const spend = found(await store.call(readSpendByDay, asked), 'organization');
      return creditForecast(spend, balance - held - floor, now);
    },
  );

  api.post(
    '/organizations/:organization/credit/adjustments',
    {
      config: { access: 'operator', action: 'credit.adjust', money: true },
      schema: {
        summary: 'Add or remove credit, with a reason',
        tags: ['credit'],
        params: OrganizationPath,
        headers: Idempotent,
        body: NewAdjustment,
        response: { 201: Adjusted },
      },
    },
    async (request, reply) => {
      const { organization } = request.params;
      const { amount, reason } = request.body;
      const id = mintId('transfer', clock, random);
      const details = { amount: formatUsd(amount), reason };
      const made = await store.call(adjustOnce, {
        idempotency: request.idempotency(),
        input: {
          id,
          organization,
          kind: 'adjustment',
          change: amount,
          reference: personOf(request),
          reason,
          created: clock.now(),
        },
        entry: request.auditEntry({ organization, target: id, details }),
      });
      const answer = unlessReused(made);
      if (typeof answer === 'string') throw REFUSED[answer]();
      const { transfer, credit } = answer;
      return reply.code(201).send({ ...shownCredit(credit), transfer: shownTransfer(transfer) });
    },
  );

  api.get(
    '/organizations/:organization/transfers',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'List transfers, newest first, with the balance after each',
        description:
          `${SEVERAL} Any other filtered page than one by \`kind\` without \`usage\` may have fewer ` +
          'transfers than `limit` although more follow. The CSV ignores `limit`, and has the newest ' +
          `${TRANSFERS_CSV_MAX} transfers that match; with \`after\`, those before it.`,
        tags: ['credit'],
        params: OrganizationPath,
        querystring: TransferQuery,
        response: { 200: inJsonOrCsv(TransferPage) },
      },
    },
    async (request, reply) => {
      const { organization, role } = actingOf(request);
      const { limit, after: before = null, cause, kind: kinds, day, format } = request.query;
      const asked = { organization, limit, before, cause, kinds, day };
      const shown = role === 'operator' ? shownToOperator : shownToCustomer;
      if (format === 'csv') return await sendTransfers(reply, store, asked, shown);
      const page = await store.call(listTransfersOf, asked);
      return answerPage(found(page, 'organization'), shown);
    },
  );

  api.get(
    '/organizations/:organization/ledger',
    {
      config: { access: { organization: 'read' } },
      schema: {
        summary: 'Get the ledger by day, newest first, with the balance before and after each day',
        description:
          'Days are in UTC, and days without transfers are left out. The closing balance of the ' +
          'newest day is the balance. `GET /organizations/{organization}/transfers?day=…` lists the ' +
          'transfers of a day. The CSV ignores `limit`; with `after`, it has the days before it.',
        tags: ['credit'],
        params: OrganizationPath,
        querystring: LedgerQuery,
        response: { 200: inJsonOrCsv(LedgerPage) },
      },
    },
    async ({ params: { organization }, query }, reply) => {
      const { format, limit, after, start: from = null, end = null } = query;
      const until = after !== undefined && (end === null || after < end) ? after : end;
      const asked = { organization, from, until, limit };
      if (format === 'csv') return await sendLedger(reply, store, asked);
      return answerDays(found(await store.call(listLedgerDays, asked), 'organization'));
    },
  );
}

const REFUSED = {
  unknown: () => noSuch('organization'),
  insufficient: () =>
    new Refused('conflict', 'The available credit would fall below zero.', 'amount'),
  over_limit: () => new Refused('conflict', 'The balance would exceed USD 4000000.', 'amount'),
} as const;

function shownCredit({ balance, held, floor }: Balance): Credit {
  return {
    balance: formatUsd(balance),
    held: formatUsd(held),
    credit_limit: formatUsd(0n - floor),
    available: formatUsd(balance - held - floor),
  };
}
