/**
 * HOT PATH: the rows that one transaction of the ledger reads and changes, kept in memory while its
 * operations run and written once at its end. The rules work on a unit of work and do not know the
 * database behind it: on SQLite a row is read when a rule first needs it; on PostgreSQL all rows
 * have been locked and read before.
 */
import type {
  IncarnationId,
  KeyId,
  MemberId,
  OrganizationId,
  PriceId,
  RequestId,
} from '../../shared/ids.ts';
import type { Price } from '../../shared/money.ts';
import type {
  AccountRow,
  HoldRow,
  MemberCapRow,
  MeterRow,
  SpentColumns,
  TransferRow,
  UsageRow,
} from '../store/schema/ledger.ts';
import type { IdempotencyKeyRow } from '../store/schema/payments.ts';
import { type Measure, RateWindow } from './rules/window.ts';

/** How a request ended, as far as a later operation on it needs to know. */
export type TerminalState = Pick<UsageRow, 'organization' | 'outcome' | 'cost'>;
/** What a void changes in the usage row of a settled request. */
export type Reversal = Pick<UsageRow, 'request' | 'finish_reason' | 'status' | 'error'>;
export type WindowId = OrganizationId | KeyId;
/** The caps of a member, with what the member's keys have spent and hold. */
export type MemberMeter = MemberCapRow & Readonly<{ held: bigint }>;

/** Reads rows from the database. Methods that return a row return undefined if there is none. */
export interface Source {
  account(id: OrganizationId): AccountRow | undefined;
  isSuspended(id: OrganizationId): boolean;
  hold(request: RequestId): HoldRow | undefined;
  ending(request: RequestId): TerminalState | undefined;
  price(id: PriceId): Price | undefined;
  /** Whether the key was revoked or deleted. */
  isRevoked(key: KeyId): boolean;
  /** Whether holds may be made under the incarnation. */
  isAlive(incarnation: IncarnationId): boolean;
  meter(key: KeyId): MeterRow | undefined;
  /** Undefined if the member has no cap. */
  memberMeter(member: MemberId): MemberMeter | undefined;
  window(id: WindowId): RateWindow | undefined;
  claim(digest: string): IdempotencyKeyRow | undefined;
}

/** The rows to write, in this order: each row once, in its final state. */
export type Changes = Readonly<{
  accounts: readonly AccountRow[];
  meters: readonly MeterRow[];
  memberCaps: readonly MemberCapRow[];
  windows: readonly (readonly [id: WindowId, organization: OrganizationId, window: RateWindow])[];
  closed: readonly RequestId[];
  opened: readonly HoldRow[];
  grown: readonly HoldRow[];
  transfers: readonly TransferRow[];
  usage: readonly UsageRow[];
  reversals: readonly Reversal[];
  /** Digests of claims to delete, before any is added. */
  unclaimed: readonly string[];
  claimed: readonly IdempotencyKeyRow[];
}>;

/** A row as it is now, whether the store had it, and whether it was changed. */
type Kept<Row> = { now: Row | undefined; stored: boolean; changed: boolean };

export class UnitOfWork {
  readonly #source: Source;
  readonly #accounts = new Map<OrganizationId, Kept<AccountRow>>();
  readonly #holds = new Map<RequestId, Kept<HoldRow>>();
  readonly #reopened = new Set<RequestId>();
  readonly #endings = new Map<RequestId, TerminalState | undefined>();
  readonly #meters = new Map<KeyId, Kept<MeterRow>>();
  readonly #memberMeters = new Map<MemberId, Kept<MemberMeter>>();
  readonly #windows = new Map<WindowId, RateWindow>();
  readonly #counted = new Map<WindowId, OrganizationId>();
  readonly #transfers: TransferRow[] = [];
  readonly #usage: UsageRow[] = [];
  readonly #reversals: Reversal[] = [];
  readonly #claims = new Map<string, Kept<IdempotencyKeyRow>>();

  constructor(source: Source) {
    this.#source = source;
  }

  account(id: OrganizationId): AccountRow | undefined {
    return this.#account(id).now;
  }

  setAccount(row: AccountRow): void {
    change(this.#account(row.id), row);
  }

  hold(request: RequestId): HoldRow | undefined {
    return this.#hold(request).now;
  }

  setHold(row: HoldRow): void {
    const hold = this.#hold(row.request);
    // The stored hold was closed in this transaction: delete it, then insert the new one.
    if (hold.stored && !hold.now) this.#reopened.add(row.request);
    change(hold, row);
  }

  closeHold(request: RequestId): void {
    change(this.#hold(request), undefined);
  }

  meter(key: KeyId): MeterRow | undefined {
    return this.#meter(key).now;
  }

  setMeter(row: MeterRow): void {
    change(this.#meter(row.key), row);
  }

  memberMeter(member: MemberId): MemberMeter | undefined {
    return this.#memberMeter(member).now;
  }

  setMemberMeter(row: MemberMeter): void {
    const kept = this.#memberMeter(row.member);
    // What is held is not stored with the caps: it is the sum of the holds.
    if (isSpentAlike(kept.now, row)) kept.now = row;
    else change(kept, row);
  }

  /** The claim of the request that was charged under this Idempotency-Key. */
  claim(digest: string): IdempotencyKeyRow | undefined {
    return this.#claim(digest).now;
  }

  addClaim(row: IdempotencyKeyRow): void {
    change(this.#claim(row.digest), row);
  }

  removeClaim(digest: string): void {
    change(this.#claim(digest), undefined);
  }

  ending(request: RequestId): TerminalState | undefined {
    if (!this.#endings.has(request)) this.#endings.set(request, this.#source.ending(request));
    return this.#endings.get(request);
  }

  addUsage(row: UsageRow): void {
    this.#endings.set(row.request, row);
    this.#usage.push(row);
  }

  /** Voids a request that was settled. */
  reverseUsage(row: Reversal): void {
    const ended = this.ending(row.request);
    if (ended) this.#endings.set(row.request, { ...ended, outcome: 'voided', cost: 0n });
    this.#reversals.push(row);
  }

  addTransfer(row: TransferRow): void {
    this.#transfers.push(row);
  }

  window(id: WindowId): RateWindow {
    let window = this.#windows.get(id);
    if (!window) {
      // The transaction may be rolled back, so it counts in a copy.
      window = this.#source.window(id)?.copy() ?? new RateWindow();
      this.#windows.set(id, window);
    }
    return window;
  }

  /** The window if anything was counted in it; most organizations have none. */
  countedWindow(id: WindowId): RateWindow | undefined {
    return this.#windows.get(id) ?? this.#source.window(id);
  }

  countIn(
    id: WindowId,
    organization: OrganizationId,
    measure: Measure,
    amount: number,
    now: number,
  ): void {
    this.window(id).add(measure, amount, now);
    this.#counted.set(id, organization);
  }

  takeBackIn(
    id: WindowId,
    organization: OrganizationId,
    taken: Readonly<{ measure: Measure; amount: number; at: number; now: number }>,
  ): void {
    this.window(id).takeBack(taken.measure, taken.amount, taken.at, taken.now);
    this.#counted.set(id, organization);
  }

  isSuspended(id: OrganizationId): boolean {
    return this.#source.isSuspended(id);
  }

  isRevoked(key: KeyId): boolean {
    return this.#source.isRevoked(key);
  }

  isAlive(incarnation: IncarnationId): boolean {
    return this.#source.isAlive(incarnation);
  }

  price(id: PriceId): Price | undefined {
    return this.#source.price(id);
  }

  changes(): Changes {
    const opened: HoldRow[] = [];
    const grown: HoldRow[] = [];
    const closed: RequestId[] = [];
    for (const [request, { now, stored, changed }] of this.#holds) {
      const isNew = !stored || this.#reopened.has(request);
      if (stored && (isNew || !now)) closed.push(request);
      if (now && changed) (isNew ? opened : grown).push(now);
    }
    return {
      accounts: changedRows(this.#accounts),
      meters: changedRows(this.#meters),
      memberCaps: changedRows(this.#memberMeters),
      windows: [...this.#counted].map(([id, of]) => [id, of, this.window(id)] as const),
      closed,
      opened,
      grown,
      transfers: this.#transfers,
      usage: this.#usage,
      reversals: this.#reversals,
      unclaimed: [...this.#claims].flatMap(([digest, { stored, changed }]) =>
        stored && changed ? [digest] : [],
      ),
      claimed: changedRows(this.#claims),
    };
  }

  #account(id: OrganizationId): Kept<AccountRow> {
    return keep(this.#accounts, id, () => this.#source.account(id));
  }

  #hold(request: RequestId): Kept<HoldRow> {
    return keep(this.#holds, request, () => this.#source.hold(request));
  }

  #meter(key: KeyId): Kept<MeterRow> {
    return keep(this.#meters, key, () => this.#source.meter(key));
  }

  #memberMeter(member: MemberId): Kept<MemberMeter> {
    return keep(this.#memberMeters, member, () => this.#source.memberMeter(member));
  }

  #claim(digest: string): Kept<IdempotencyKeyRow> {
    return keep(this.#claims, digest, () => this.#source.claim(digest));
  }
}

function keep<Id, Row>(kept: Map<Id, Kept<Row>>, id: Id, read: () => Row | undefined): Kept<Row> {
  const known = kept.get(id);
  if (known) return known;
  const now = read();
  const fresh = { now, stored: now !== undefined, changed: false };
  kept.set(id, fresh);
  return fresh;
}

function change<Row>(kept: Kept<Row>, row: Row | undefined): void {
  kept.now = row;
  kept.changed = true;
}

function isSpentAlike(a: SpentColumns | undefined, b: SpentColumns): boolean {
  return (
    a?.spent === b.spent &&
    a.month === b.month &&
    a.day_from === b.day_from &&
    a.before_day === b.before_day
  );
}

function changedRows<Row>(kept: ReadonlyMap<unknown, Kept<Row>>): Row[] {
  return [...kept.values()].flatMap(({ now, changed }) => (now && changed ? [now] : []));
}
