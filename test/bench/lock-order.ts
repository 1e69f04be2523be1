/**
 * The value of rule 22 of the ledger: three routers' batches on the same busy accounts, with the
 * accounts locked in one common order, and in the order of the requests. Prints batches and
 * deadlocks.
 */
import { parseArgs } from 'node:util';
import pg from 'pg';
import { systemClock as clock } from '../../shared/clock.ts';
import { systemRandom as random } from '../../shared/random.ts';
import { PostgresServer } from '../torture/postgres-server.ts';

const ROUTERS = 3;
const ACCOUNTS = 100;
const IN_A_BATCH = 40;
const DEADLOCK = '40P01';

const { values: flags } = parseArgs({ options: { seconds: { type: 'string', default: '6' } } });

const LOCK = {
  'in order of id': 'SELECT id FROM a WHERE id = ANY($1::int[]) ORDER BY id FOR UPDATE',
  'as asked for': `SELECT a.id FROM unnest($1::int[]) WITH ORDINALITY AS u(id, at)
    JOIN LATERAL (SELECT id FROM a WHERE a.id = u.id FOR UPDATE) a ON true`,
} as const;

async function run(url: string, lock: string): Promise<{ batches: number; deadlocks: number }> {
  const counts = { batches: 0, deadlocks: 0 };
  const until = clock.monotonic() + Number(flags.seconds) * 1000;
  const router = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    while (clock.monotonic() < until) {
      const ids = Array.from({ length: IN_A_BATCH }, () => random.below(ACCOUNTS));
      try {
        await client.query('BEGIN');
        await client.query(lock, [[...new Set(ids)]]);
        await client.query('UPDATE a SET n = n + 1 WHERE id = ANY($1::int[])', [ids]);
        await client.query('COMMIT');
        counts.batches++;
      } catch (error) {
        if (!(error instanceof pg.DatabaseError) || error.code !== DEADLOCK) throw error;
        counts.deadlocks++;
        await client.query('ROLLBACK');
      }
    }
    await client.end();
  };
  await Promise.all(Array.from({ length: ROUTERS }, router));
  return counts;
}

await using server = await PostgresServer.create();
const url = await server.database('locks');
const client = new pg.Client({ connectionString: url });
await client.connect();
await client.query('CREATE TABLE a (id int PRIMARY KEY, n int) WITH (fillfactor = 50)');
await client.query(`INSERT INTO a SELECT n, 0 FROM generate_series(0, ${ACCOUNTS - 1}) AS n`);
await client.end();
for (const [name, lock] of Object.entries(LOCK)) {
  const { batches, deadlocks } = await run(url, lock);
  process.stdout.write(`${name}: ${batches} batches, ${deadlocks} deadlocks\n`);
}
