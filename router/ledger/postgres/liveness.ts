/** On PostgreSQL: the liveness of holds (MONEY 19, 20), and what the data plane asks of keys. */
import type { IncarnationId, KeyId, OrganizationId, RequestId } from '../../../shared/ids.ts';
import { unreachable } from '../../../shared/unreachable.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { BatchAnswer, BatchConnection } from '../../store/procedure.ts';
import type { KeyRow, MeterRow, WindowRow } from '../../store/schema/ledger.ts';
import { columnsOf, METERS } from '../columns.ts';
import {
  KEY_COLUMNS,
  type KeyAndOrganization,
  keyRecordOf,
  keyStandingOf,
  type NamedKey,
  type RateRow,
} from '../key-record.ts';
import {
  type AnswerTo,
  type HeartbeatAnswer,
  DECLARED_DEAD,
  type Operation,
  type OperationOf,
  type Outcome,
  type Peer,
} from '../operations.ts';
import type { Booking } from '../rules/apply.ts';
import { RateWindow } from '../rules/window.ts';
import { SWEEP_HOLDS_MAX } from '../sweep.ts';
import type { WindowId } from '../unit-of-work.ts';
import { windowOf } from './reads.ts';

type Alone = Exclude<Operation, Booking>;
type Indexed<Kind> = readonly [index: number, operation: Kind];
type Answers = BatchAnswer<Outcome>[];

/**
 * Runs each operation in its own transactions, except what is asked of keys. That is read together,
 * because the bookings of the batch wait for it: however many clients ask, they wait as long.
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
  const { incarnation, url, regions, now } = ask;
  await connection.query({
    name: 'register',
    text: `INSERT INTO incarnations (id, beat, url, regions, started) VALUES ($1, 0, $2, $3, $4)
      ON CONFLICT (id) DO NOTHING`,
    values: [incarnation, url, regions, milliseconds(now)],
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
  { incarnation, beat: seen }: OperationOf<'sweep'>,
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
    connection.query({ name: 'commit', text: 'COMMIT' }),
  ]);
  if (row === undefined) return 'unknown';
  return declare || isDead ? 'dead' : 'alive';
}

async function findKeys(
  connection: BatchConnection,
  asked: readonly Indexed<OperationOf<'findKey'>>[],
): Promise<Answers> {
  if (asked.length === 0) return [];
  const keys = await connection.query<KeyAndOrganization>({
    name: 'keys',
    text: `SELECT ${KEY_COLUMNS} FROM keys k
      JOIN organizations o ON o.id = k.organization JOIN accounts a ON a.id = o.id
      WHERE k.digest = ANY($1::text[])`,
    values: [[...new Set(asked.map(([, { digest }]) => digest))]],
  });
  const rates = await connection.query<RateRow & { organization: OrganizationId }>({
    name: 'rates',
    text: `SELECT r.organization, p.id, p.model, p.prompt, p.completion, p.cached
      FROM rates r JOIN prices p ON p.id = r.price WHERE r.organization = ANY($1::text[])`,
    values: [[...new Set(keys.map(({ organization }) => organization))]],
  });
  const records = new Map(
    keys.map((row) => [
      row.digest,
      keyRecordOf(
        row,
        rates.filter(({ organization }) => organization === row.organization),
      ),
    ]),
  );
  return asked.map(([index, { digest }]) => [index, { answer: records.get(digest) ?? null }]);
}

/** Locks nothing: what is left may have changed by the time that the client reads it. */
async function readStandings(
  connection: BatchConnection,
  asked: readonly Indexed<OperationOf<'keyStanding'>>[],
): Promise<Answers> {
  if (asked.length === 0) return [];
  const keys = new Set(asked.map(([, { key }]) => key));
  const organizations = new Set(asked.map(([, { organization }]) => organization));
  const ask = <Row extends object>(name: string, text: string, ids: readonly string[]) =>
    connection.query<Row>({ name, text, values: [ids] });
  const [names, meterRows, windowRows] = await Promise.all([
    ask<NamedKey & Pick<KeyRow, 'id'>>(
      'key names',
      'SELECT id, name, label FROM keys WHERE id = ANY($1::text[])',
      [...keys],
    ),
    ask<MeterRow>(
      'key meters',
      `SELECT ${columnsOf('m', METERS)} FROM meters m WHERE key = ANY($1::text[])`,
      [...keys],
    ),
    ask<Pick<WindowRow, 'subject' | 'counts' | 'slot'>>(
      'key windows',
      'SELECT subject, counts, slot FROM windows WHERE subject = ANY($1::text[])',
      [...organizations, ...keys],
    ),
  ]);
  const named = new Map(names.map((row) => [row.id, row]));
  const meters = new Map(meterRows.map((row) => [row.key, row]));
  const windows = new Map(windowRows.map((row) => [row.subject, windowOf(row)]));
  const work = {
    meter: (id: KeyId) => meters.get(id),
    window: (id: WindowId) => windows.get(id) ?? new RateWindow(),
  };
  return asked.map(([index, one]) => [index, keyStandingOf(work, one, named.get(one.key))]);
}
