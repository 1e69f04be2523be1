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
const hold = database.prepare('INSERT INTO holds VALUES (?, ?)');
const free = database.prepare('DELETE FROM holds WHERE request = ?');
const use = database.prepare('INSERT INTO usage VALUES (?, ?, ?)');
const move = database.prepare('UPDATE accounts SET balance = balance - ?, held = held + ?');

const commit = database.transaction((bookings: readonly Booking[]) => {
  for (const { kind, request } of bookings) {
    if (kind === 'hold') {
      hold.run(request, AMOUNT);
      move.run(0n, AMOUNT);
    } else {
      free.run(request);
      use.run(request, AMOUNT, TOKENS);
      move.run(AMOUNT, -AMOUNT);
    }
  }
});

parentPort?.on('message', (bookings: readonly Booking[]) => {
  commit(bookings);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port, not a window
  parentPort?.postMessage(null);
});
