/** HOT PATH: locks and reads all rows that the bookings of a batch need, in one round trip. */
import type {
  IncarnationId,
  KeyId,
  MemberId,
  OrganizationId,
  PriceId,
  RequestId,
} from '../../../shared/ids.ts';
import { type Price, picoUsd } from '../../../shared/money.ts';
import { unreachable } from '../../../shared/unreachable.ts';
import type { BatchConnection } from '../../store/procedure.ts';
import type { AccountRow, HoldRow, MeterRow, WindowRow } from '../../store/schema/ledger.ts';
import type { IdempotencyKeyRow } from '../../store/schema/payments.ts';
import { ACCOUNTS as ACCOUNT, CLAIMS as CLAIM, columnsOf, MEMBER_CAPS } from '../columns.ts';
import type { Booking } from '../rules/apply.ts';
import { RateWindow } from '../rules/window.ts';
import type { MemberMeter, TerminalState, Source, WindowId } from '../unit-of-work.ts';

export type KnownPrices = Map<PriceId, Price>;

/** The rows that the bookings name. Other rows are found through the holds of these requests. */
type Wanted = {
  organizations: Set<OrganizationId>;
  requests: Set<RequestId>;
  keys: Set<KeyId>;
  prices: Set<PriceId>;
  incarnations: Set<IncarnationId>;
  windows: Set<WindowId>;
  /** Requests to extend, whose key may have been revoked since admission. */
  extended: Set<RequestId>;
  /** Members who may have caps. */
  members: Set<MemberId>;
  /** Digests of Idempotency-Keys. */
  claims: Set<string>;
};

/** Selects a column of the holds whose requests are in the parameter `requests`. */
const ofHolds = (column: string, requests: string, which = 'true') =>
  `ARRAY(SELECT ${column} FROM holds WHERE request = ANY(${requests}::text[]) AND ${which})`;

/**
 * Accounts are locked first, and in the same order everywhere, so that no two batches deadlock. The
 * status may be older than the lock. But suspending an organization raises its epoch, which is as
 * new as the lock, and every admission compares the epoch.
 */
const ACCOUNTS = `SELECT ${columnsOf('a', ACCOUNT)},
    (SELECT status = 'suspended' FROM organizations o WHERE o.id = a.id) AS suspended
  FROM accounts a WHERE id = ANY($1::text[] || ${ofHolds('organization', '$2')})
  ORDER BY id FOR UPDATE OF a`;

/** Locks incarnations, so that none is declared dead while holds are being made under it. */
const ALIVE = `SELECT id FROM incarnations WHERE id = ANY($1::text[]) AND beat >= 0 FOR KEY SHARE`;

/**
 * Read after the accounts are locked, so that of two requests of an organization the second sees the
 * claim of the first.
 */
const CLAIMS = `SELECT ${columnsOf('k', CLAIM)} FROM idempotency_keys k WHERE digest = ANY($1::text[])`;

/**
 * All other rows, in one statement, since each further statement costs as much as its rows. Texts
 * are t1 to t6, numbers n1 to n6.
 */
const REST = `
  SELECT 'hold' AS kind, request AS t1, organization AS t2, key AS t3, price AS t4,
      incarnation AS t5, member AS t6, amount AS n1, slice AS n2, tokens AS n3, created AS n4,
      NULL::int8 AS n5, NULL::int8 AS n6
    FROM holds WHERE request = ANY($1::text[])
  UNION ALL
  SELECT 'ending', request, organization, outcome, NULL, NULL, NULL, cost, NULL, NULL, NULL,
      NULL, NULL
    FROM usage WHERE request = ANY($1::text[])
  UNION ALL
  SELECT 'meter', key, organization, NULL, NULL, NULL, NULL, month, spent, held, open,
      day_from, before_day
    FROM meters WHERE key = ANY($2::text[] || ${ofHolds('key', '$1')})
  UNION ALL
  SELECT 'window', subject, counts, NULL, NULL, NULL, NULL, slot, NULL, NULL, NULL,
      NULL, NULL
    FROM windows WHERE subject = ANY($3::text[] || ${ofHolds('organization', '$1', 'tokens > 0')}
      || ${ofHolds('key', '$1', 'tokens > 0')})
  UNION ALL
  SELECT 'revoked', id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
      NULL, NULL
    FROM keys WHERE state <> 'active' AND id = ANY(${ofHolds('key', '$4')})
  UNION ALL
  SELECT 'price', id, NULL, NULL, NULL, NULL, NULL, prompt, completion, cached, NULL,
      NULL, NULL
    FROM prices WHERE id = ANY($5::text[])`;

/**
 * The caps of members, with what they hold. Sent only if the locked accounts have any, which costs
 * these batches a round trip and all others nothing.
 */
const MEMBER_METERS = `SELECT ${columnsOf('c', MEMBER_CAPS)},
    (SELECT coalesce(sum(h.amount), 0)::int8 FROM holds h WHERE h.member = c.member) AS held
  FROM member_caps c WHERE member = ANY($1::text[])`;

type Account = AccountRow & { suspended: boolean };
/** A row of REST, of any kind. The columns that its kind does not use are null and are not read. */
type RestRow = Record<'t1' | 't2' | 't3' | 't4' | 't5' | 't6', string> &
  Record<'n1' | 'n2' | 'n3' | 'n4' | 'n5' | 'n6', bigint> & { kind: string };

/** Sends all reads without waiting in between; the server answers them in this order. */
export async function readRows(
  connection: BatchConnection,
  bookings: readonly Booking[],
  prices: KnownPrices,
): Promise<Source> {
  const wanted = wantedBy(bookings);
  const ask = <Row extends object>(name: string, text: string, ...ids: Iterable<string>[]) =>
    connection.query<Row>({ name, text, values: ids.map((some) => [...some]) });
  const { organizations, requests, keys, incarnations, windows, extended, members, claims } =
    wanted;
  const unknown = [...wanted.prices].filter((id) => !prices.has(id));
  const [accounts, alive, rest, claimed] = await Promise.all([
    ask<Account>('accounts', ACCOUNTS, organizations, requests),
    incarnations.size > 0 ? ask<{ id: IncarnationId }>('alive', ALIVE, incarnations) : [],
    ask<RestRow>('rest', REST, requests, keys, windows, extended, unknown),
    claims.size > 0 ? ask<IdempotencyKeyRow>('claims', CLAIMS, claims) : [],
  ]);
  const isAnyCapped = members.size > 0 && accounts.some((row) => row.capped_members > 0n);
  const capped = isAnyCapped ? await ask<MemberMeter>('members', MEMBER_METERS, members) : [];
  return sourceOf({ accountRows: accounts, aliveRows: alive, rest, claimed, capped }, prices);
}

function wantedBy(bookings: readonly Booking[]): Wanted {
  const wanted: Wanted = {
    organizations: new Set(),
    requests: new Set(),
    keys: new Set(),
    prices: new Set(),
    incarnations: new Set(),
    windows: new Set(),
    extended: new Set(),
    members: new Set(),
    claims: new Set(),
  };
  for (const booking of bookings) want(wanted, booking);
  return wanted;
}

function want(wanted: Wanted, booking: Booking): void {
  switch (booking.kind) {
    case 'reserve': {
      const { organization, request, key, member, price, limits, claim } = booking.reservation;
      if (member) wanted.members.add(member);
      if (claim) wanted.claims.add(claim.digest);
      wanted.organizations.add(organization);
      wanted.requests.add(request);
      wanted.keys.add(key);
      wanted.prices.add(price);
      wanted.incarnations.add(booking.incarnation);
      // As soon as either is limited, tokens count for both. A window that is not read would be
      // overwritten.
      const { organization: ofAll, key: ofKey } = limits;
      const tokens = ofAll.tokensPerMinute ?? ofKey.tokensPerMinute;
      // The organization's window is always read, because work may have been waived.
      wanted.windows.add(organization);
      if (ofKey.requestsPerMinute ?? tokens) wanted.windows.add(key);
      return;
    }
    case 'extend':
      if (booking.extension.member) wanted.members.add(booking.extension.member);
      wanted.organizations.add(booking.extension.organization);
      wanted.requests.add(booking.extension.request);
      wanted.extended.add(booking.extension.request);
      return;
    case 'settle':
    case 'void': {
      const { organization, request, key, member, price } = booking.usage;
      if (member) wanted.members.add(member);
      if (booking.claim) wanted.claims.add(booking.claim.digest);
      // The work of a settlement whose claim is taken is waived.
      const mayWaive = booking.kind === 'settle' ? booking.claim : booking.waived;
      if (mayWaive) wanted.windows.add(organization);
      wanted.organizations.add(organization);
      wanted.requests.add(request);
      wanted.keys.add(key);
      wanted.prices.add(price);
      return;
    }
    case 'free':
      wanted.requests.add(booking.request);
      return;
    default:
      return unreachable(booking);
  }
}

function sourceOf(
  {
    accountRows,
    aliveRows,
    rest,
    claimed,
    capped,
  }: Readonly<{
    accountRows: readonly Account[];
    aliveRows: readonly { id: IncarnationId }[];
    rest: readonly RestRow[];
    claimed: readonly IdempotencyKeyRow[];
    capped: readonly MemberMeter[];
  }>,
  prices: KnownPrices,
): Source {
  const accounts = new Map(accountRows.map((row) => [row.id, row]));
  const alive = new Set(aliveRows.map(({ id }) => id));
  const claims = new Map(claimed.map((row) => [row.digest, row]));
  const holds = new Map<string, HoldRow>();
  const endings = new Map<string, TerminalState>();
  const meters = new Map<string, MeterRow>();
  const members = new Map(capped.map((row) => [row.member, row]));
  const windows = new Map<string, RateWindow>();
  const revoked = new Set<string>();
  for (const row of rest) {
    const { t1: id } = row;
    if (row.kind === 'hold') holds.set(id, holdOf(row));
    else if (row.kind === 'ending') endings.set(id, endingOf(row));
    else if (row.kind === 'meter') meters.set(id, meterOf(row));
    else if (row.kind === 'window') windows.set(id, windowOf({ counts: row.t2, slot: row.n1 }));
    else if (row.kind === 'revoked') revoked.add(id);
    else prices.set(id as PriceId, priceOf(row));
  }
  return {
    account: (id) => accounts.get(id),
    isSuspended: (id) => accounts.get(id)?.suspended === true,
    hold: (request) => holds.get(request),
    ending: (request) => endings.get(request),
    price: (id) => prices.get(id),
    isRevoked: (key) => revoked.has(key),
    isAlive: (id) => alive.has(id),
    meter: (key) => meters.get(key),
    memberMeter: (member) => members.get(member),
    window: (id) => windows.get(id),
    claim: (digest) => claims.get(digest),
  };
}

function holdOf({ t1, t2, t3, t4, t5, t6, n1, n2, n3, n4 }: RestRow): HoldRow {
  return {
    request: t1 as RequestId,
    organization: t2 as OrganizationId,
    key: t3 as KeyId,
    price: t4 as PriceId,
    incarnation: t5 as IncarnationId,
    amount: n1,
    slice: n2,
    tokens: n3,
    created: n4,
    member: t6 as MemberId | null,
  };
}

function endingOf({ t2, t3, n1 }: RestRow): TerminalState {
  return { organization: t2 as OrganizationId, outcome: t3 as TerminalState['outcome'], cost: n1 };
}

function meterOf({ t1, t2, n1, n2, n3, n4, n5, n6 }: RestRow): MeterRow {
  return {
    key: t1 as KeyId,
    organization: t2 as OrganizationId,
    month: n1,
    spent: n2,
    held: n3,
    open: n4,
    day_from: n5,
    before_day: n6,
  };
}

export function windowOf({ counts, slot }: Pick<WindowRow, 'counts' | 'slot'>): RateWindow {
  // Rows written before waived work was counted have no third series.
  const [requests, tokens, waived = []] = JSON.parse(counts) as number[][];
  return RateWindow.of(Number(slot), { requests: requests ?? [], tokens: tokens ?? [], waived });
}

function priceOf({ n1, n2, n3 }: RestRow): Price {
  return { prompt: picoUsd(n1), completion: picoUsd(n2), cached: picoUsd(n3) };
}
