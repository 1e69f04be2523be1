/**
 * The router's procedures, and some for tests. Store threads import this file, so it must not import
 * vitest.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { sql } from 'kysely';
import { applyEvent } from '../../../router/control/payments/events.ts';
import type { Procedure } from '../../../router/store/procedure.ts';

export * from '../../../router/procedures.ts';
export * from '../control/count-statements.ts';
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

const { fdatasyncSync } = fs;

/** Whether each sync of the log that the writer's thread asks for fails from now on. */
export const failSyncs: Procedure<boolean, null> = {
  name: 'failSyncs',
  access: 'write',
  async run(_db, fails) {
    const refuse = () => {
      throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
    };
    fs.fdatasyncSync = fails ? refuse : fdatasyncSync;
    syncBuiltinESMExports();
    return null;
  },
};

/** Returns what a commit of a write procedure syncs: 2 is FULL. */
export const readSynchronous: Procedure<null, number> = {
  name: 'readSynchronous',
  access: 'write',
  async run(db) {
    const { rows } = await sql<{ synchronous: bigint }>`pragma synchronous`.execute(db);
    return Number(rows[0]?.synchronous);
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

/** Applies an event of a payment provider, and fails before it is committed. */
export const applyAndFail: Procedure<Parameters<typeof applyEvent.run>[1], null> = {
  name: 'applyAndFail',
  access: 'write',
  async run(db, event) {
    const { outcome } = await applyEvent.run(db, event);
    throw new Error(`it was ${outcome}, and fails now`);
  },
};
