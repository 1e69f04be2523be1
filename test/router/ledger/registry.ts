/**
 * The router's procedures, some without their audit records, and some that break things. Store
 * threads import this file, so it must not import vitest.
 */
import { sql } from 'kysely';
import { payInvoice, voidInvoice } from '../../../router/control/invoices/procedures.ts';
import { openPayment } from '../../../router/control/payments/procedures.ts';
import { refundPayment } from '../../../router/control/payments/refunds.ts';
import * as router from '../../../router/procedures.ts';
import type { Procedure, Registry } from '../../../router/store/procedure.ts';

/**
 * Limits the file to this many pages from now on, so that the disk seems full. Null removes the
 * limit.
 */
export const limitPages: Procedure<number | null, null> = {
  name: 'limitPages',
  access: 'write',
  async run(db, pages) {
    await sql`pragma max_page_count = ${sql.lit(pages ?? 4_294_967_294)}`.execute(db);
    return null;
  },
};

/** Ends the writer's thread in the middle of a transaction. */
export const endThread: Procedure<null, null> = {
  name: 'endThread',
  access: 'write',
  run() {
    process.exit(1);
  },
};

export const procedures: Registry['procedures'] = [
  ...router.procedures,
  payInvoice,
  voidInvoice,
  openPayment,
  refundPayment,
  limitPages,
  endThread,
];

export const batchExecutors = router.batchExecutors;
