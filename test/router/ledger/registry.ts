/**
 * The router's procedures, and some for tests. Store threads import this file, so it must not import
 * vitest.
 */
import { sql } from 'kysely';
import type { Procedure } from '../../../router/store/procedure.ts';

export * from '../../../router/procedures.ts';
export * from '../jobs/enqueue-job.ts';
export * from './set-organization.ts';

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
