/** On SQLite: the liveness of holds (MONEY 19, 20), and what the data plane asks of keys. */
import { unreachable } from '../../../shared/unreachable.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import { keyRecordOf, keyStandingOf } from '../key-record.ts';
import {
  type AnswerTo,
  type HeartbeatAnswer,
  DECLARED_DEAD,
  type KeyRecord,
  type Operation,
  type OperationOf,
  type Outcome,
} from '../operations.ts';
import type { Booking } from '../rules/apply.ts';
import { SWEEP_HOLDS_MAX } from '../sweep.ts';
import { UnitOfWork } from '../unit-of-work.ts';
import { sourceOf, type Statements } from './statements.ts';

const NO_LIMIT = -1n;

export function runAlone(at: Statements, operation: Exclude<Operation, Booking>): Outcome {
  switch (operation.kind) {
    case 'findKey':
      return { answer: findKey(at, operation) };
    case 'keyStanding':
      return keyStanding(at, operation);
    case 'register':
      return { answer: register(at, operation) };
    case 'advertise':
      at.advertise.run(operation.url, operation.incarnation);
      return { answer: null };
    case 'heartbeat':
      return { answer: heartbeat(at, operation) };
    case 'sweep':
      return { answer: sweep(at, operation) };
    case 'remove':
      return { answer: at.remove.run(operation.incarnation).changes > 0 };
    default:
      return unreachable(operation);
  }
}

function register(at: Statements, ask: OperationOf<'register'>): null {
  at.register.run(ask.incarnation, ask.url, ask.regions, milliseconds(ask.now), ask.version);
  return null;
}

function heartbeat(at: Statements, { incarnation }: OperationOf<'heartbeat'>): HeartbeatAnswer {
  const alive = at.heartbeat.run(incarnation).changes > 0;
  return {
    alive,
    peers: at.peers.all(incarnation),
    holds: alive ? at.holdsOf.all(incarnation, '', NO_LIMIT) : [],
    suspended: alive ? at.suspendedUnder.all(incarnation) : [],
  };
}

function sweep(at: Statements, ask: OperationOf<'sweep'>): AnswerTo<'sweep'> {
  const { incarnation, by, after, now } = ask;
  const known = at.incarnation.get(incarnation);
  if (!known) return 'unknown';
  if (known.beat !== DECLARED_DEAD) {
    if (ask.beat !== 'any' && known.beat !== ask.beat) return 'alive';
    // From here on it can neither send heartbeats nor make holds, however long freeing its holds
    // takes.
    at.setBeat.run(DECLARED_DEAD, incarnation);
    at.endRun.run(milliseconds(now), by, incarnation);
  }
  return at.holdsOf.all(incarnation, after ?? '', BigInt(SWEEP_HOLDS_MAX));
}

function findKey(at: Statements, { digest }: OperationOf<'findKey'>): KeyRecord | null {
  const row = at.key.get(digest);
  return row ? keyRecordOf(row, at.rates.all(row.organization)) : null;
}

function keyStanding(at: Statements, ask: OperationOf<'keyStanding'>): Outcome {
  return keyStandingOf(new UnitOfWork(sourceOf(at)), ask, at.keyName.get(ask.key));
}
