/** The ledger by day as JSON and as CSV. */
import type { FastifyReply } from 'fastify';
import type { LedgerDay } from '../../../shared/api/credit.ts';
import { formatUsd } from '../../../shared/money.ts';
import type { Store } from '../../store/store.ts';
import {
  type DaysPage,
  type DaysQuery,
  type LedgerDay as StoredDay,
  listLedgerDays,
} from '../../usage/ledger-days/days.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { found } from '../api.ts';
import { sendPages } from '../csv-file.ts';
import { answerPage } from '../pages.ts';

const PAGE_DAYS = 366;

const COLUMNS = [
  'day',
  'opening',
  'payments',
  'credits',
  'refunds',
  'usage',
  'closing',
  'transfers',
  'charges',
] as const satisfies readonly (keyof LedgerDay)[];

export function answerDays({ rows, next }: DaysPage) {
  return answerPage({ rows, next: next === null ? null : dateOf(Number(next)) }, shownDay);
}

function shownDay({ day, transfers, charges, ...amounts }: StoredDay): LedgerDay {
  return {
    day: dateOf(day),
    opening: formatUsd(amounts.opening),
    payments: formatUsd(amounts.payments),
    credits: formatUsd(amounts.credits),
    refunds: formatUsd(amounts.refunds),
    usage: formatUsd(amounts.usage),
    closing: formatUsd(amounts.closing),
    transfers,
    charges,
  };
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** Sends all days of a query as a CSV file. */
export async function sendLedger(
  reply: FastifyReply,
  store: Pick<Store, 'call'>,
  asked: Omit<DaysQuery, 'limit'>,
): Promise<FastifyReply> {
  const first = found(
    await store.call(listLedgerDays, { ...asked, limit: PAGE_DAYS }),
    'organization',
  );
  const columns = COLUMNS.map((column) => [column, (day: LedgerDay) => day[column]]);
  return sendPages(reply, 'ledger', Object.fromEntries(columns), pagesFrom(store, asked, first));
}

async function* pagesFrom(
  store: Pick<Store, 'call'>,
  asked: Omit<DaysQuery, 'limit'>,
  first: DaysPage,
): AsyncGenerator<LedgerDay[]> {
  for (let page: DaysPage | null = first; page !== null; ) {
    yield page.rows.map(shownDay);
    if (page.next === null) return;
    const next: DaysQuery = { ...asked, until: Number(page.next), limit: PAGE_DAYS };
    page = await store.call(listLedgerDays, next);
  }
}
