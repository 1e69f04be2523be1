/** How many requests begin in one turn of the event loop. */
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { RequestTurns } from '../../router/request-turns.ts';
import { limits } from '../../shared/limits.ts';

const MOST = limits.requestsPerTurnMax;

/** Has a connection ask for `count` requests, and returns the list of those that have begun. */
function ask(turns: RequestTurns, connection: PassThrough, count: number, begun: string[] = []) {
  for (let n = 1; n <= count; n++) turns.take(connection, () => void begun.push(`request ${n}`));
  return begun;
}

test('requests begin at once as long as few have begun in this turn', () => {
  expect(ask(new RequestTurns(), new PassThrough(), MOST)).toHaveLength(MOST);
});

test('requests beyond the most of a turn begin in later turns, in the order of their arrival', async () => {
  const begun = ask(new RequestTurns(), new PassThrough(), MOST * 3);
  expect(begun).toHaveLength(MOST);
  await nextTurn();
  expect(begun).toHaveLength(MOST * 2);
  await nextTurn();
  expect(begun).toEqual(Array.from({ length: MOST * 3 }, (_, n) => `request ${n + 1}`));
});

test('requests that wait begin before those that arrive in their turn', async () => {
  const turns = new RequestTurns();
  const begun = ask(turns, new PassThrough(), MOST * 2 - 1);
  expect(turns.waiting).toBe(MOST - 1);
  await nextTurn();
  expect(turns.waiting).toBe(0);
  ask(turns, new PassThrough(), 2, begun);
  expect(begun).toHaveLength(MOST * 2);
  await nextTurn();
  expect(begun).toHaveLength(MOST * 2 + 1);
});

test('a connection with one request waits for one request of each other connection', async () => {
  const turns = new RequestTurns();
  const greedy = new PassThrough();
  const begun = ask(turns, greedy, MOST * 4);
  turns.take(new PassThrough(), () => void begun.push('of another connection'));
  await nextTurn();
  expect(begun.indexOf('of another connection')).toBe(MOST + 1);
});

test('a request never begins once its connection has closed', async () => {
  const turns = new RequestTurns();
  const connection = new PassThrough();
  const begun = ask(turns, connection, MOST + 1);
  connection.destroy();
  await nextTurn();
  await nextTurn();
  expect(begun).toHaveLength(MOST);
});

test('requests of connections that have closed take no place in a turn', async () => {
  const turns = new RequestTurns();
  ask(turns, new PassThrough(), MOST);
  const closed = Array.from({ length: 3 * MOST }, () => new PassThrough());
  for (const connection of closed) ask(turns, connection, 1);
  const begun = ask(turns, new PassThrough(), MOST);
  for (const connection of closed) connection.destroy();
  await nextTurn();
  expect(begun).toHaveLength(MOST);
  expect(turns.waiting).toBe(0);
});

test('when very many requests wait, connections may send none ahead, until fewer wait', async () => {
  const turns = new RequestTurns();
  ask(turns, new PassThrough(), MOST + limits.requestsWaitingMax - 1);
  expect(turns.pipelinedMax).toBe(limits.pipelinedMax);
  ask(turns, new PassThrough(), 1);
  expect(turns.pipelinedMax).toBe(1);
  await nextTurn();
  expect(turns.pipelinedMax).toBe(limits.pipelinedMax);
});
