/** The control plane over a real socket, on a real store in its own folder, after its first run. */
import { LiveCatalog } from '../../../router/catalog/live.ts';
import { ClientAddresses } from '../../../router/client-address.ts';
import type { ListedRoute } from '../../../router/control/access/gate.ts';
import {
  makeAgentRegistry,
  type AgentRegistryParts,
} from '../../../router/control/agent-registry.ts';
import { bootstrap, type FirstRun } from '../../../router/control/bootstrap.ts';
import { SandboxProvider } from '../../../router/control/checkout/sandbox.ts';
import type { ControlParts } from '../../../router/control/parts.ts';
import { Drawings } from '../../../router/control/documents/drawings.ts';
import { Passwords } from '../../../router/control/people/passwords.ts';
import { RouterWatch } from '../../../router/control/platform/router-watch.ts';
import { PublicUrls } from '../../../router/control/public-urls.ts';
import type { ScheduledTask } from '../../../router/jobs/scheduler.ts';
import { makeControl } from '../../../router/control/server.ts';
import { WELCOME_TERMS } from '../../../router/control/welcome/terms.ts';
import { Fleet } from '../../../router/fleet/fleet.ts';
import { Links } from '../../../router/fleet/links.ts';
import { ensurePrices } from '../../../router/ledger/prices.ts';
import { endListener, listen } from '../../../router/listen.ts';
import { openStore } from '../../../router/store/open-store.ts';
import type { Store } from '../../../router/store/store.ts';
import { listPrice } from '../../../shared/catalog.ts';
import { type Clock, systemClock } from '../../../shared/clock.ts';
import { mintId } from '../../../shared/ids.ts';
import { makeLog } from '../../../shared/log.ts';
import { onePepper } from '../../../shared/peppers.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import type { Region } from '../../../shared/region.ts';
import { makeStorePlace, type StorePlace } from '../../support/store.ts';

const REGISTRY = new URL('../ledger/registry.ts', import.meta.url);
const CATALOG = new URL('../../../configs/catalog.yaml', import.meta.url).pathname;

const DEFAULT_LIMITS = {
  requestsPerMinute: 10_000,
  tokensPerMinute: null,
  concurrentRequests: 1_000,
} as const;

/** The id of the rig's router, which has no row in the store. */
const INCARNATION = mintId('incarnation', systemClock, random);

export const PEPPER = onePepper(new Uint8Array(32).fill(7));
export const log = makeLog('test', 'silent');

export type Answer = Readonly<{
  status: number;
  headers: Headers;
  // `any`, because each test states the shape of the answer that it expects.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}>;

export interface Rig extends AsyncDisposable {
  readonly origin: string;
  readonly store: Store;
  readonly fleet: Fleet;
  readonly place: StorePlace;
  readonly provider: SandboxProvider;
  readonly drawings: Drawings;
  readonly first: FirstRun;
  /** Every route of the management API. */
  readonly routes: readonly ListedRoute[];
  /** Records the alarms of now. */
  readonly alarmsTask: ScheduledTask;
  /** The reason for which `/readyz` reports that the router is not ready, or null. */
  notReadyBecause: string | null;
  /** Sends a request as the operator of the first run, or with the given headers. */
  ask(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** Everything that is stored, as text. */
  bytes(): Promise<string>;
}

/**
 * `clock` dates keys and tokens and decides when they expire, `regions` are those of the router's
 * listeners, and `baseUrls` are the public URLs that customers call.
 */
export async function startRig(
  clock: Clock = systemClock,
  regions: readonly Region[] = ['global'],
  more: Partial<
    Pick<
      ControlParts,
      | 'passwords'
      | 'signUp'
      | 'publicModels'
      | 'welcome'
      | 'operator'
      | 'seller'
      | 'trustedProxies'
      | 'provider'
      | 'allowedHosts'
      | 'log'
      | 'webhooks'
    >
  > = {},
  baseUrls: Partial<Record<Region, string>> = {},
): Promise<Rig> {
  await using undo = new AsyncDisposableStack();
  const place = undo.use(await makeStorePlace());
  const store = undo.use(
    await openStore({ url: place.url, registry: REGISTRY }, { clock: systemClock, log }),
  );
  const parts = { store, pepper: PEPPER, brand: 'test', clock, random, log, seller: null };
  const first = await bootstrap(store, parts);
  if (!first) throw new Error('an empty store was not founded');
  const fleet = new Fleet({ log, clock: systemClock, random });
  const state: Pick<Rig, 'notReadyBecause'> = { notReadyBecause: null };
  const urls = new PublicUrls({ baseUrls, listeners: [{ region: 'global' }] });
  const catalog = await openCatalog(undo, parts);
  const provider = new SandboxProvider({ ...parts, urls });
  const drawings = undo.use(new Drawings({ log }));
  const control = undo.use(
    await makeControl({
      ...parts,
      catalog,
      fleet,
      urls,
      passwords: new Passwords(),
      drawings,
      operator: {},
      signUp: 'open',
      publicModels: true,
      webhooks: { allowPrivateAddresses: false },
      welcome: WELCOME_TERMS,
      mailboxSecret: Buffer.from('of the tests, for mailboxes'),
      provider,
      defaultLimits: () => DEFAULT_LIMITS,
      trustedProxies: [],
      alarmsOf: () => [],
      watch: new RouterWatch(clock),
      incarnation: () => INCARNATION,
      notReadyBecause: () => state.notReadyBecause,
      ...more,
    }),
  );
  const links = openLinks({ ...parts, regions }, { fleet, catalog });
  const listener = await listen(
    { host: '127.0.0.1', port: 0, region: 'global' },
    {
      data: (_request, response) => response.writeHead(500).end(),
      link: links.upgrade.bind(links),
      rest: control.handle.bind(control),
    },
    { clock: systemClock, random, draining: new AbortController().signal },
  );
  urls.listensAt([listener]);
  undo.defer(() => endListener(listener, systemClock));
  undo.use(links);
  const { origin } = listener;
  const owned = undo.move();
  return Object.assign(state, {
    origin,
    store,
    fleet,
    place,
    provider,
    drawings,
    first,
    routes: control.routes,
    alarmsTask: control.alarmsTask,
    ask: (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
      ask(origin + path, method, body, {
        // With a session cookie no token is sent, because a token would take precedence.
        ...(headers?.['cookie'] === undefined && {
          authorization: `Bearer ${first.operator.token}`,
        }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...Object.fromEntries(new Headers(headers)),
      }),
    bytes: () => place.bytes(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  });
}

async function openCatalog(
  undo: AsyncDisposableStack,
  parts: AgentRegistryParts,
): Promise<LiveCatalog> {
  const catalog = await LiveCatalog.open(CATALOG, {
    async fixPrices(models) {
      const listed = [...models.values()].map((entry) => ({
        model: entry.id,
        price: listPrice(entry),
      }));
      const versions = await ensurePrices(parts, listed);
      return new Map(versions.map((version) => [version.model, version]));
    },
    clock: systemClock,
    log,
  });
  return undo.use(catalog);
}

function openLinks(
  parts: AgentRegistryParts & Readonly<{ regions: readonly Region[] }>,
  on: Readonly<{ fleet: Fleet; catalog: LiveCatalog }>,
): Links {
  const registry = makeAgentRegistry(parts);
  const place = { router: 'rtr_test', regions: parts.regions, process: null };
  const addresses = new ClientAddresses(['127.0.0.1']);
  const addressOf = addresses.of.bind(addresses);
  return new Links({ registry, clock: systemClock, random, log, addressOf, ...on, ...place });
}

async function ask(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === '' ? null : JSON.parse(text),
  };
}
