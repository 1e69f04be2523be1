/** The thread of the skeleton's ledger: commits each batch of bookings in one transaction. */
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';
import type { Booking } from './ledger.ts';

const AMOUNT = 1_000n;
const TOKENS = 24n;

const database = new Database(workerData as string);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec(`
  CREATE TABLE accounts (id INTEGER PRIMARY KEY, balance INTEGER, held INTEGER);
  CREATE TABLE holds (request INTEGER PRIMARY KEY, amount INTEGER);
  CREATE TABLE usage (request INTEGER PRIMARY KEY, amount INTEGER, tokens INTEGER);
  INSERT INTO accounts VALUES (1, 1000000000000000, 0)`);
const insertHold = database.prepare('INSERT INTO holds VALUES (?, ?)');
const deleteHold = database.prepare('DELETE FROM holds WHERE request = ?');
const insertUsage = database.prepare('INSERT INTO usage VALUES (?, ?, ?)');
const updateAccount = database.prepare(
  'UPDATE accounts SET balance = balance - ?, held = held + ?',
);

const commit = database.transaction((bookings: readonly Booking[], settled: number) => {
  for (const { kind, request } of bookings) {
    if (kind === 'hold') insertHold.run(request, AMOUNT);
    else {
      deleteHold.run(request);
      insertUsage.run(request, AMOUNT, TOKENS);
    }
  }
  const held = bookings.length - settled;
  updateAccount.run(BigInt(settled) * AMOUNT, BigInt(held - settled) * AMOUNT);
});

let synchronous = 'FULL';

parentPort?.on('message', (bookings: readonly Booking[]) => {
  const settled = bookings.filter(({ kind }) => kind === 'settle').length;
  // As in the product, only settlements must survive a loss of power.
  const wanted = settled > 0 ? 'FULL' : 'NORMAL';
  if (wanted !== synchronous) database.pragma(`synchronous = ${wanted}`);
  synchronous = wanted;
  commit(bookings, settled);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
  parentPort?.postMessage(null);
});
