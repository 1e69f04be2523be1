/**
 * HOT PATH: the ledger's prepared statements on one connection. Each reads one table by its primary key:
 * a join with a bound parameter is compiled anew at every call (SQLite's STAT4), which costs 14 µs for 0.5.
 */
import type { Database, Statement } from 'better-sqlite3';
import type {
  IncarnationId,
  KeyId,
  OrganizationId,
  PriceId,
  RequestId,
  TransferId,
} from '../../../shared/ids.ts';
import type { Price } from '../../../shared/money.ts';
import type {
  AccountRow,
  HoldRow,
  IncarnationRow,
  KeyRow,
  OrganizationRow,
  TransferRow,
  UsageRow,
} from '../../store/schema.ts';
import { type Kind, sides } from '../transfers.ts';
import type { Usage } from '../terms.ts';

export type Ending = Pick<UsageRow, 'organization' | 'outcome' | 'cost'>;
export type KeyState = KeyRow &
  Pick<OrganizationRow, 'region' | 'status'> &
  Pick<AccountRow, 'auth_epoch'>;
type Sequences = Pick<AccountRow, 'transfer_seq' | 'usage_seq'>;

export type Statements = ReturnType<typeof prepareStatements>;

export function prepareStatements(database: Database) {
  return {
    ...prepareHolds(database),
    ...prepareEndings(database),
    ...prepareBeats(database),
    /** Prices never change, so what was read once is known for good. */
    prices: new Map<PriceId, Price>(),
    price: database.prepare<[PriceId], Price>(
      'SELECT prompt, completion, cached FROM prices WHERE id = ?',
    ),
    keyState: database.prepare<[KeyId], Pick<KeyRow, 'state'>>(
      'SELECT state FROM keys WHERE id = ?',
    ),
    /** The one join: callers keep its answer for seconds. */
    key: database.prepare<[string], KeyState>(
      `SELECT k.*, o.region, o.status, a.auth_epoch
       FROM keys k JOIN organizations o ON o.id = k.organization JOIN accounts a ON a.id = o.id
       WHERE k.digest = ?`,
    ),
  };
}

function prepareHolds(database: Database) {
  return {
    account: database.prepare<[OrganizationId], AccountRow>('SELECT * FROM accounts WHERE id = ?'),
    organization: database.prepare<[OrganizationId], Pick<OrganizationRow, 'status'>>(
      'SELECT status FROM organizations WHERE id = ?',
    ),
    hold: database.prepare<[RequestId], HoldRow>('SELECT * FROM holds WHERE request = ?'),
    openHold: database.prepare(
      `INSERT INTO holds (request, organization, key, price, incarnation, amount, slice, created)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    growHold: database.prepare<[bigint, RequestId]>(
      'UPDATE holds SET amount = amount + ? WHERE request = ?',
    ),
    closeHold: database.prepare<[RequestId]>('DELETE FROM holds WHERE request = ?'),
    changeHeld: database.prepare<[held: bigint, reserve: bigint, OrganizationId]>(
      'UPDATE accounts SET held = held + ?, reserve = reserve + ? WHERE id = ?',
    ),
  };
}

function prepareEndings(database: Database) {
  return {
    ending: database.prepare<[RequestId], Ending>(
      'SELECT organization, outcome, cost FROM usage WHERE request = ?',
    ),
    changeAccount: database.prepare<
      [
        balance: bigint,
        held: bigint,
        reserve: bigint,
        transfers: bigint,
        usages: bigint,
        OrganizationId,
      ],
      Sequences
    >(
      `UPDATE accounts
       SET balance = balance + ?, held = held + ?, reserve = reserve + ?,
           transfer_seq = transfer_seq + ?, usage_seq = usage_seq + ?
       WHERE id = ? RETURNING transfer_seq, usage_seq`,
    ),
    addTransfer: database.prepare(
      `INSERT INTO transfers
         (id, organization, seq, debit, credit, amount, kind, reference, created)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    addUsage: database.prepare(
      `INSERT INTO usage
         (request, organization, seq, key, member, source, completion_id, model, region, agent, worker,
          price, prompt_tokens, cached_tokens, cached_source, completion_tokens, reasoning_tokens,
          ttft_ms, duration_ms, finish_reason, status, error, created, cost, outcome, transfer)
       VALUES (${Array(26).fill('?').join(', ')})`,
    ),
    voidUsage: database.prepare(
      `UPDATE usage SET outcome = 'voided', cost = 0, finish_reason = ?, status = ?, error = ?
       WHERE request = ?`,
    ),
  };
}

function prepareBeats(database: Database) {
  return {
    incarnation: database.prepare<[IncarnationId], Pick<IncarnationRow, 'beat'>>(
      'SELECT beat FROM incarnations WHERE id = ?',
    ),
    enlist: database.prepare(
      `INSERT INTO incarnations (id, beat, url, regions, started) VALUES (?, 0, ?, ?, ?)
       ON CONFLICT (id) DO NOTHING`,
    ),
    beat: database.prepare<[IncarnationId]>(
      'UPDATE incarnations SET beat = beat + 1 WHERE id = ? AND beat >= 0',
    ),
    peers: database.prepare<[IncarnationId], Pick<IncarnationRow, 'id' | 'beat'>>(
      'SELECT id, beat FROM incarnations WHERE id <> ?',
    ),
    setBeat: database.prepare<[bigint, IncarnationId]>(
      'UPDATE incarnations SET beat = ? WHERE id = ?',
    ),
    remove: database.prepare<[IncarnationId]>('DELETE FROM incarnations WHERE id = ?'),
    holdsOf: database
      .prepare<[IncarnationId, limit: bigint], RequestId>(
        'SELECT request FROM holds WHERE incarnation = ? LIMIT ?',
      )
      .pluck() as Statement<[IncarnationId, limit: bigint], RequestId>,
  };
}

export function findPrice(at: Statements, id: PriceId): Price | undefined {
  const known = at.prices.get(id);
  if (known) return known;
  const row = at.price.get(id);
  if (row) at.prices.set(id, row);
  return row;
}

export function addTransfer(
  at: Statements,
  kind: Kind,
  change: bigint,
  transfer: Pick<TransferRow, 'organization' | 'seq'> & {
    id: TransferId;
    request: RequestId;
    now: number;
  },
): void {
  const { id, organization, seq, request, now } = transfer;
  const { debit, credit, amount } = sides(kind, organization, change);
  at.addTransfer.run(
    id,
    organization,
    seq,
    debit,
    credit,
    amount,
    kind,
    request,
    milliseconds(now),
  );
}

export function addUsage(
  at: Statements,
  usage: Usage,
  end: Pick<UsageRow, 'seq' | 'cost' | 'outcome' | 'transfer'>,
): void {
  at.addUsage.run(
    usage.request,
    usage.organization,
    end.seq,
    usage.key,
    usage.member,
    usage.source,
    usage.completionId,
    usage.model,
    usage.region,
    usage.agent,
    usage.worker,
    usage.price,
    BigInt(usage.promptTokens),
    BigInt(usage.cachedTokens),
    usage.cachedSource,
    BigInt(usage.completionTokens),
    BigInt(usage.reasoningTokens),
    usage.ttftMs === null ? null : milliseconds(usage.ttftMs),
    milliseconds(usage.durationMs),
    usage.finishReason,
    BigInt(usage.status),
    usage.error,
    milliseconds(usage.created),
    end.cost,
    end.outcome,
    end.transfer,
  );
}

function milliseconds(time: number): bigint {
  return BigInt(Math.round(time));
}
