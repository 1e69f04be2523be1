/**
 * Procedures that break the rules for procedures. Store threads import this file, so it must not
 * import vitest.
 */
import { sql } from 'kysely';
import type { BatchExecutor, Db, Procedure } from '../../../router/store/procedure.ts';
import type { PersonId } from '../../../shared/ids.ts';

const person = (id: string) => ({
  id: id as PersonId,
  email: `${id}@lab.example`,
  name: id,
  password_hash: '',
  operator: 0n,
  last_sign_in: 0n,
  created: 0n,
});

const add = (db: Db, id: string) => db.insertInto('people').values(person(id)).execute();

export const addPerson: Procedure<string, null> = {
  name: 'addPerson',
  access: 'write',
  run: async (db, id) => (await add(db, id), null),
};

export const listPeople: Procedure<null, string[]> = {
  name: 'listPeople',
  access: 'read',
  async run(db) {
    const rows = await db.selectFrom('people').select('id').orderBy('id').execute();
    return rows.map(({ id }) => id);
  },
};

export const throwLate: Procedure<string, null> = {
  name: 'throwLate',
  access: 'write',
  async run(db, id) {
    await add(db, id);
    throw new RangeError('changed my mind');
  },
};

/** Awaits a promise that never settles. */
export const hang: Procedure<string, null> = {
  name: 'hang',
  access: 'write',
  async run(db, id) {
    await add(db, id);
    return new Promise(() => {});
  },
};

/** Returns, and goes on writing. */
export const stray: Procedure<string, null> = {
  name: 'stray',
  access: 'write',
  async run(db, id) {
    setTimeout(() => void add(db, id).catch(() => {}), 20);
    return null;
  },
};

export const answerFunction: Procedure<null, () => void> = {
  name: 'answerFunction',
  access: 'write',
  run: async () => () => {},
};

/** Declares itself as a reader, and writes. */
export const writeAsReader: Procedure<string, null> = {
  name: 'writeAsReader',
  access: 'read',
  run: async (db, id) => (await add(db, id), null),
};

/** Keeps a reader busy for about this many million steps. */
export const count: Procedure<number, bigint> = {
  name: 'count',
  access: 'read',
  async run(_db, millions) {
    const { rows } = await sql<{ n: bigint }>`
      with recursive c(n) as (select cast(1 as int8) union all select n + 1 from c
        where n < ${sql.lit(millions * 1_000_000)}) select max(n) as n from c`.execute(_db);
    return rows[0]?.n ?? 0n;
  },
};

/** Keeps its thread busy until the gate is opened, and then returns the people in the store. */
export const spin: Procedure<Gate, string[]> = {
  name: 'spin',
  access: 'read',
  heavy: true,
  async run(db, gate) {
    const { started, opened } = gate;
    Atomics.store(started, 0, 1);
    Atomics.notify(started, 0);
    Atomics.wait(opened, 0, 0, 20_000);
    return await listPeople.run(db, null);
  },
};

/** Memory that threads share. */
export type Gate = Readonly<{ started: Int32Array; opened: Int32Array }>;

export const addPersonAside: Procedure<string, null> = {
  ...addPerson,
  name: 'addPersonAside',
  heavy: true,
};

export const listPeopleAside: Procedure<null, string[]> = {
  ...listPeople,
  name: 'listPeopleAside',
  heavy: true,
};

/** Ends its thread. */
export const endHeavy: Procedure<null, null> = {
  name: 'endHeavy',
  access: 'read',
  heavy: true,
  run: async () => process.exit(1),
};

/** PostgreSQL only: waits on the server. */
export const waitThere: Procedure<null, null> = {
  name: 'waitThere',
  access: 'read',
  heavy: true,
  run: async (db) => (await sql`select pg_sleep(8)`.execute(db), null),
};

/** Writes about this many megabytes, and deletes the rows again. */
export const churn: Procedure<number, null> = {
  name: 'churn',
  access: 'write',
  async run(db, megabytes) {
    await sql`create table if not exists churned (bytes blob)`.execute(db);
    for (let n = 0; n < megabytes; n++) {
      await sql`insert into churned values (randomblob(1048576))`.execute(db);
    }
    await sql`delete from churned`.execute(db);
    return null;
  },
};

/** SQLite only: answers each operation with itself, the last once it is durable. */
export const answerEach: BatchExecutor<string, string> = {
  name: 'answerEach',
  openSqlite: () => (operations) => {
    const answers = operations.map((operation, index) => [index, operation] as const);
    return { atOnce: answers.slice(0, -1), onceDurable: answers.slice(-1) };
  },
  openPostgres: () => async () => {},
};
