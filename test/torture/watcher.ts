/**
 * A separate process that reads one account continuously, straight from the database: `node
 * watcher.ts URL ORGANIZATION`. On SIGTERM it reports the lowest balance that it saw, and the
 * lowest balance less holds.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openReader } from './books.ts';

const [url = '', organization = ''] = process.argv.slice(2);
if (!/^org_[0-9a-z]+$/.test(organization)) throw new Error(`${organization} is no organization`);

const stopped = new AbortController();
process.on('SIGTERM', () => stopped.abort());
process.on('disconnect', () => process.exit(1));

await using reader = await openReader(url);
const query = `SELECT balance, held FROM accounts WHERE id = '${organization}'`;
let looks = 0;
let balanceMin: bigint | null = null;
let freeMin: bigint | null = null;
process.send?.('watching');
while (!stopped.signal.aborted) {
  const [row] = await reader.rows<{ balance: bigint; held: bigint }>(query);
  if (!row) throw new Error(`there is no account ${organization}`);
  const free = row.balance - row.held;
  if (balanceMin === null || row.balance < balanceMin) balanceMin = row.balance;
  if (freeMin === null || free < freeMin) freeMin = free;
  looks += 1;
  // More reads than about one per ms would only take CPU time from the service.
  await pause(1);
}
process.send?.({ looks, balanceMin: String(balanceMin), freeMin: String(freeMin) }, () =>
  process.exit(0),
);
