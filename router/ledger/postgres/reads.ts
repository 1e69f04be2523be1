/** HOT PATH: all rows that some bookings need, locked and read in one exchange. */
import type {
  IncarnationId,
  KeyId,
  OrganizationId,
  PriceId,
  RequestId,
} from '../../../shared/ids.ts';
import type { Price } from '../../../shared/money.ts';
import { unreachable } from '../../../shared/unreachable.ts';
import type { LaneConnection } from '../../store/procedure.ts';
import type { AccountRow, HoldRow, MeterRow, UsageRow, WindowRow } from '../../store/schema.ts';
import type { Ending, Source, WindowId } from '../page.ts';
import type { Booking } from '../rules/apply.ts';
import { RateWindow } from '../rules/window.ts';

export type KnownPrices = Map<PriceId, Price>;

/** What the bookings name. What they do not name is found by way of their holds. */
type Wanted = {
  organizations: Set<OrganizationId>;
  requests: Set<RequestId>;
  keys: Set<KeyId>;
  prices: Set<PriceId>;
  incarnations: Set<IncarnationId>;
  windows: Set<WindowId>;
  /** Requests whose key may have been revoked since. */
  extended: Set<RequestId>;
};

const OF_HOLDS = (column: string) =>
  `ARRAY(SELECT ${column} FROM holds WHERE request = ANY($2::text[]))`;
/** Those whose tokens were counted: their end corrects the count. */
const OF_COUNTED_HOLDS = (column: string) =>
  `ARRAY(SELECT ${column} FROM holds WHERE request = ANY($2::text[]) AND tokens > 0)`;

const SQL = {
  // First, and in one order everywhere: so that no two batches wait for one another.
  accounts: `SELECT * FROM accounts
    WHERE id = ANY($1::text[] || ${OF_HOLDS('organization')}) ORDER BY id FOR UPDATE`,
  suspended: `SELECT id FROM organizations
    WHERE id = ANY($1::text[]) AND status = 'suspended'`,
  holds: 'SELECT * FROM holds WHERE request = ANY($1::text[])',
  endings: 'SELECT request, organization, outcome, cost FROM usage WHERE request = ANY($1::text[])',
  meters: `SELECT * FROM meters WHERE key = ANY($1::text[] || ${OF_HOLDS('key')})`,
  windows: `SELECT subject, counts, slot FROM windows WHERE subject = ANY(
    $1::text[] || ${OF_COUNTED_HOLDS('organization')} || ${OF_COUNTED_HOLDS('key')})`,
  revoked: `SELECT id FROM keys WHERE state <> 'active' AND id = ANY(
    ARRAY(SELECT key FROM holds WHERE request = ANY($1::text[])))`,
  // Whoever declares it dead has to wait for what is being held under it, and we for him.
  alive: `SELECT id FROM incarnations WHERE id = ANY($1::text[]) AND beat >= 0 FOR KEY SHARE`,
  prices: 'SELECT id, prompt, completion, cached FROM prices WHERE id = ANY($1::text[])',
} as const;

export async function readRows(
  connection: LaneConnection,
  bookings: readonly Booking[],
  prices: KnownPrices,
): Promise<Source> {
  const wanted = wantedBy(bookings);
  const read = <Row extends object>(name: keyof typeof SQL, ...ids: ReadonlySet<string>[]) =>
    ids.every(({ size }) => size === 0)
      ? Promise.resolve<readonly Row[]>([])
      : connection.query<Row>({ name, text: SQL[name], values: ids.map((set) => [...set]) });
  const { organizations, requests, keys, incarnations, windows, extended } = wanted;
  const unknown = new Set([...wanted.prices].filter((id) => !prices.has(id)));
  const [accounts, suspended, holds, endings, meters, counts, revoked, alive, priced] =
    await Promise.all([
      read<AccountRow>('accounts', organizations, requests),
      read<{ id: OrganizationId }>('suspended', organizations),
      read<HoldRow>('holds', requests),
      read<Ending & Pick<UsageRow, 'request'>>('endings', requests),
      read<MeterRow>('meters', keys, requests),
      read<Pick<WindowRow, 'subject' | 'counts' | 'slot'>>('windows', windows, requests),
      read<{ id: KeyId }>('revoked', extended),
      read<{ id: IncarnationId }>('alive', incarnations),
      read<Price & { id: PriceId }>('prices', unknown),
    ]);
  for (const { id, ...price } of priced) prices.set(id, price);
  return sourceOf({ accounts, suspended, holds, endings, meters, counts, revoked, alive, prices });
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
  };
  for (const booking of bookings) want(wanted, booking);
  return wanted;
}

function want(wanted: Wanted, booking: Booking): void {
  switch (booking.kind) {
    case 'reserve': {
      const { organization, request, key, price, limits } = booking.reservation;
      wanted.organizations.add(organization);
      wanted.requests.add(request);
      wanted.keys.add(key);
      wanted.prices.add(price);
      wanted.incarnations.add(booking.incarnation);
      for (const [id, limit] of [
        [organization, limits.organization],
        [key, limits.key],
      ] as const) {
        if (limit.requestsPerMinute ?? limit.tokensPerMinute) wanted.windows.add(id);
      }
      return;
    }
    case 'extend':
      wanted.organizations.add(booking.extension.organization);
      wanted.requests.add(booking.extension.request);
      wanted.extended.add(booking.extension.request);
      return;
    case 'settle':
    case 'void': {
      const { organization, request, key, price } = booking.usage;
      wanted.organizations.add(organization);
      wanted.requests.add(request);
      wanted.keys.add(key);
      wanted.prices.add(price);
      return;
    }
    case 'free':
      for (const request of booking.requests) wanted.requests.add(request);
      return;
    default:
      return unreachable(booking);
  }
}

type Rows = Readonly<{
  accounts: readonly AccountRow[];
  suspended: readonly { id: OrganizationId }[];
  holds: readonly HoldRow[];
  endings: readonly (Ending & Pick<UsageRow, 'request'>)[];
  meters: readonly MeterRow[];
  counts: readonly Pick<WindowRow, 'subject' | 'counts' | 'slot'>[];
  revoked: readonly { id: KeyId }[];
  alive: readonly { id: IncarnationId }[];
  prices: KnownPrices;
}>;

function sourceOf(rows: Rows): Source {
  const accounts = new Map(rows.accounts.map((row) => [row.id, row]));
  const suspended = new Set(rows.suspended.map(({ id }) => id));
  const holds = new Map(rows.holds.map((row) => [row.request, row]));
  const endings = new Map(rows.endings.map((row) => [row.request, row]));
  const meters = new Map(rows.meters.map((row) => [row.key, row]));
  const windows = new Map(rows.counts.map((row) => [row.subject, windowOf(row)]));
  const revoked = new Set(rows.revoked.map(({ id }) => id));
  const alive = new Set(rows.alive.map(({ id }) => id));
  return {
    account: (id) => accounts.get(id),
    isSuspended: (id) => suspended.has(id),
    hold: (request) => holds.get(request),
    ending: (request) => endings.get(request),
    price: (id) => rows.prices.get(id),
    isRevoked: (key) => revoked.has(key),
    isAlive: (id) => alive.has(id),
    meter: (key) => meters.get(key),
    window: (id) => windows.get(id),
  };
}

function windowOf({ counts, slot }: Pick<WindowRow, 'counts' | 'slot'>): RateWindow {
  const [requests, tokens] = JSON.parse(counts) as [number[], number[]];
  return new RateWindow(Number(slot), requests, tokens);
}
