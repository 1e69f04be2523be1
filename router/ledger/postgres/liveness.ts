/** On PostgreSQL: the operations that book nothing, such as the liveness of holds (MONEY 19, 20). */
import type { IncarnationId, OrganizationId, RequestId } from '../../../shared/ids.ts';
import { unreachable } from '../../../shared/unreachable.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { BatchConnection } from '../../store/procedure.ts';
import {
  type AnswerTo,
  type HeartbeatAnswer,
  DECLARED_DEAD,
  type Operation,
  type OperationOf,
  type Peer,
} from '../operations.ts';
import type { Booking } from '../rules/apply.ts';
import { SWEEP_HOLDS_MAX } from '../sweep.ts';
import type { Answers, Indexed } from './indexed.ts';
import { findKeys, readStandings } from './keys.ts';

type Alone = Exclude<Operation, Booking>;

/**
 * Runs each operation in its own transactions, except lookups of keys. Lookups of keys are read
 * together, because the batch's bookings wait for them: the wait must not grow with the number of
 * clients.
 */
export async function runAlone(
  connection: BatchConnection,
  operations: readonly Indexed<Alone>[],
): Promise<Answers> {
  const answers: Answers = [];
  const keys: Indexed<OperationOf<'findKey'>>[] = [];
  const standings: Indexed<OperationOf<'keyStanding'>>[] = [];
  for (const [index, operation] of operations) {
    if (operation.kind === 'findKey') keys.push([index, operation]);
    else if (operation.kind === 'keyStanding') standings.push([index, operation]);
    else answers.push([index, { answer: await answerTo(connection, operation) }]);
  }
  const read = await Promise.all([
    findKeys(connection, keys),
    readStandings(connection, standings),
  ]);
  return [...answers, ...read.flat()];
}

async function answerTo(
  connection: BatchConnection,
  operation: Exclude<Alone, { kind: 'findKey' | 'keyStanding' }>,
): Promise<AnswerTo<Exclude<Alone['kind'], 'findKey' | 'keyStanding'>>> {
  switch (operation.kind) {
    case 'register':
      return await register(connection, operation);
    case 'advertise':
      return await advertise(connection, operation);
    case 'heartbeat':
      return await heartbeat(connection, operation);
    case 'sweep':
      return await sweep(connection, operation);
    case 'remove':
      return await remove(connection, operation);
    default:
      return unreachable(operation);
  }
}

async function register(connection: BatchConnection, ask: OperationOf<'register'>): Promise<null> {
  const { incarnation, url, regions, version, now } = ask;
  await connection.query({
    name: 'register',
    text: `INSERT INTO incarnations (id, beat, url, regions, started, version)
      VALUES ($1, 0, $2, $3, $4, $5)
      ON CONFLICT (id) DO NOTHING`,
    values: [incarnation, url, regions, milliseconds(now), version],
  });
  return null;
}

async function advertise(
  connection: BatchConnection,
  { incarnation, url }: OperationOf<'advertise'>,
): Promise<null> {
  await connection.query({
    name: 'advertise',
    text: 'UPDATE incarnations SET url = $1 WHERE id = $2',
    values: [url, incarnation],
  });
  return null;
}

async function heartbeat(
  connection: BatchConnection,
  { incarnation }: OperationOf<'heartbeat'>,
): Promise<HeartbeatAnswer> {
  const ask = <Row extends object>(name: string, text: string) =>
    connection.query<Row>({ name, text, values: [incarnation] });
  const [beaten, peers, holds, suspended] = await Promise.all([
    ask(
      'heartbeat',
      'UPDATE incarnations SET beat = beat + 1 WHERE id = $1 AND beat >= 0 RETURNING beat',
    ),
    ask<Peer>('peers', 'SELECT id, beat, url, regions FROM incarnations WHERE id <> $1'),
    ask<{ request: RequestId }>('holds of', 'SELECT request FROM holds WHERE incarnation = $1'),
    ask<{ id: OrganizationId }>(
      'suspended under',
      `SELECT id FROM organizations WHERE status = 'suspended'
         AND id = ANY(ARRAY(SELECT DISTINCT organization FROM holds WHERE incarnation = $1))`,
    ),
  ]);
  const alive = beaten.length > 0;
  return {
    alive,
    peers,
    holds: alive ? holds.map(({ request }) => request) : [],
    suspended: alive ? suspended.map(({ id }) => id) : [],
  };
}

async function sweep(
  connection: BatchConnection,
  ask: OperationOf<'sweep'>,
): Promise<AnswerTo<'sweep'>> {
  const known = await declareDead(connection, ask);
  if (known !== 'dead') return known;
  const holds = await connection.query<{ request: RequestId }>({
    name: 'some holds of',
    text: `SELECT request FROM holds WHERE incarnation = $1 AND request > $2
      ORDER BY request LIMIT ${SWEEP_HOLDS_MAX}`,
    values: [ask.incarnation, ask.after ?? ''],
  });
  return holds.map(({ request }) => request);
}

/** The incarnation is dead already, so it gets no new hold between the check and the delete. */
async function remove(
  connection: BatchConnection,
  { incarnation }: OperationOf<'remove'>,
): Promise<boolean> {
  const removed = await connection.query({
    name: 'remove',
    text: `DELETE FROM incarnations i WHERE id = $1 AND beat = ${DECLARED_DEAD}
      AND NOT EXISTS (SELECT 1 FROM holds WHERE incarnation = i.id) RETURNING id`,
    values: [incarnation],
  });
  return removed.length > 0;
}

/**
 * Declares an incarnation dead. From then on it can neither send heartbeats nor make holds, however
 * long freeing its holds takes. The row lock waits for a batch that is making a hold under it.
 */
async function declareDead(
  connection: BatchConnection,
  { incarnation, by, beat: seen, now }: OperationOf<'sweep'>,
): Promise<'dead' | 'unknown' | 'alive'> {
  const [, [row]] = await Promise.all([
    connection.query({ name: 'begin', text: 'BEGIN' }),
    connection.query<{ id: IncarnationId; beat: bigint }>({
      name: 'lock incarnation',
      text: 'SELECT id, beat FROM incarnations WHERE id = $1 FOR UPDATE',
      values: [incarnation],
    }),
  ]);
  const beaten = row !== undefined && seen !== 'any' && row.beat !== seen;
  const isDead = row?.beat === DECLARED_DEAD;
  const declare = row !== undefined && !isDead && !beaten;
  await Promise.all([
    declare &&
      connection.query({
        name: 'declare dead',
        text: 'UPDATE incarnations SET beat = $1 WHERE id = $2',
        values: [DECLARED_DEAD, incarnation],
      }),
    declare &&
      connection.query({
        name: 'end run',
        text: 'UPDATE router_runs SET ended = $1, ended_by = $2 WHERE router = $3',
        values: [milliseconds(now), by, incarnation],
      }),
    connection.query({ name: 'commit', text: 'COMMIT' }),
  ]);
  if (row === undefined) return 'unknown';
  return declare || isDead ? 'dead' : 'alive';
}
