/**
 * The whole path of a request in one process: real HTTP, a real ledger on a real store, a real
 * session. Only the agent is scripted by the test, the clock is manual, and the store can be
 * delayed or unavailable.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { expect } from 'vitest';
import { LiveCatalog } from '../../../router/catalog/live.ts';
import { mintKey } from '../../../router/control/keys/mint.ts';
import { Fleet, type SlotReservation } from '../../../router/fleet/fleet.ts';
import { HistoryRecorder } from '../../../router/history/recorder.ts';
import { insertKey } from '../../../router/identity/keys.ts';
import { adjustCredit } from '../../../router/ledger/credit.ts';
import type { OpenLedger } from '../../../router/ledger/ledger.ts';
import { ensurePrices } from '../../../router/ledger/prices.ts';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import { Alarms } from '../../../router/metering/alarms.ts';
import { Auditor } from '../../../router/metering/auditor.ts';
import type { OverheadLimits } from '../../../router/metering/token-overheads.ts';
import { type DataPlane, openDataPlane } from '../../../router/request/data-plane.ts';
import type { Entrance } from '../../../router/request/entrance.ts';
import type { Handle } from '../../../router/request/handle.ts';
import { LiveRequests } from '../../../router/request/live.ts';
import type { WaitingLimits, WaitingRoom } from '../../../router/request/waiting-room.ts';
import { listUsage } from '../../../router/usage/listings.ts';
import { RefusalRecorder } from '../../../router/usage/refusals/recorder.ts';
import { listPrice } from '../../../shared/catalog.ts';
import type { KeyId, OrganizationId } from '../../../shared/ids.ts';
import type { RequestLogSetting } from '../../../shared/request-log-setting.ts';
import type { Log } from '../../../shared/log.ts';
import { picoUsd } from '../../../shared/money.ts';
import { onePepper } from '../../../shared/peppers.ts';
import { delivered } from '../../agent/support/gate.ts';
import { readStream, type Seen } from '../../support/sse.ts';
import { FaultyStore } from '../ledger/faulty-store.ts';
import { Rig } from '../ledger/rig.ts';
import { GatedStore } from './gated-store.ts';
import { type AgentStream, ScriptedAgent } from './scripted-agent.ts';

export const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
/** A model that takes images, at 600,000 pico-USD per prompt token. */
export const SEEING = 'qwen/qwen3.5-397b-a17b';
/** The price of `MODEL`, in pico-USD per token. */
export const PRICE = { prompt: 200_000n, completion: 600_000n, cached: 50_000n } as const;
const ANY_FIGURES: OverheadLimits = {
  prompt: { least: 2_048, most: 2_048 },
  completion: { least: 10_000_000, most: 10_000_000 },
};
const PATIENCE = { timeout: 10_000, interval: 5 };

export const PEPPER = onePepper(Buffer.from('pepper of the tests'));

export type Customer = Readonly<{ organization: OrganizationId; key: KeyId; value: string }>;

/** A request that has reached its agent: the agent's stream, and what the client sees. */
export type Begun = Readonly<{
  stream: AgentStream;
  response: Promise<Response>;
  seen: Promise<Seen>;
  leave: () => void;
}>;

/** The body of a chat request, streamed unless `fields` says otherwise. */
export function bodyOf(fields: object): string {
  return JSON.stringify({
    model: MODEL,
    messages: [{ role: 'user', content: 'Hello.' }],
    stream: true,
    stream_options: { include_usage: true },
    ...fields,
  });
}

/** Returns the status and the code of an error, as the client receives it. */
export function refusalOf({ status, raw }: Seen): readonly [status: number, code: string] {
  return [status, (JSON.parse(raw) as { error: { code: string } }).error.code];
}

/** The prompt tokens that the first hold of a chat assumes, from the number of its bytes alone. */
export function estimate(fields: object = {}, turns = 1): number {
  return Math.ceil(Buffer.byteLength(bodyOf(fields)) / 3) + turns * 8 + 64;
}

export class RequestRig implements AsyncDisposable {
  readonly books: Rig;
  readonly gated: GatedStore;
  readonly faulty: FaultyStore;
  readonly fleet: Fleet;
  readonly alarms: Alarms;
  readonly history = new HistoryRecorder();
  agent: ScriptedAgent;
  readonly live = new LiveRequests();
  readonly underWay = new Set<Promise<void>>();
  /**
   * Organizations that were refused for lack of credit, in the order in which they were reported.
   */
  readonly exhausted: string[] = [];
  /** The models that the agent serves. */
  readonly models = [MODEL, SEEING] as const;
  requestLog: RequestLogSetting = 'all';
  readonly #registry = new Registry();
  readonly #parts = new AsyncDisposableStack();
  ledger!: OpenLedger;
  waiting!: WaitingRoom<SlotReservation>;
  entrance!: Entrance;
  handle!: Handle;
  answers!: DataPlane['answers'];
  readonly refusals: RefusalRecorder;
  #server!: Server;

  private constructor(books: Rig) {
    this.books = books;
    this.faulty = new FaultyStore(books.store);
    this.gated = new GatedStore(this.faulty);
    this.fleet = new Fleet(books);
    this.alarms = new Alarms(books);
    this.agent = new ScriptedAgent(this.fleet, books);
    this.refusals = this.#parts.use(new RefusalRecorder(books.parts));
  }

  /**
   * `billed` bounds the figures that agents report. The default is wide, for tests of something
   * else.
   */
  static async start(
    waiting: Partial<WaitingLimits> = {},
    billed: OverheadLimits = ANY_FIGURES,
    log?: Log,
    catalog = 'configs/catalog.yaml',
  ): Promise<RequestRig> {
    const rig = new RequestRig(await Rig.start());
    const limits = { requestsMax: 1_000, waitMsMax: 30_000, ...waiting };
    await rig.#open(limits, billed, catalog, log);
    rig.agent.report(rig.models);
    return rig;
  }

  async #open(
    waitingLimits: WaitingLimits,
    billed: OverheadLimits,
    catalogFile: string,
    log: Log = this.books.log,
  ): Promise<void> {
    const { books, fleet, live, underWay } = this;
    const { clock, random, store } = books;
    this.ledger = await books.openLedger({
      store: this.gated,
      onUnhealthy: () => live.abandonAll(),
      onSuspended: (organization) => live.suspend(organization),
    });
    const { ledger } = this;
    const catalog = this.#parts.use(
      await LiveCatalog.open(catalogFile, {
        clock,
        log,
        async fixPrices(models) {
          const list = [...models.values()].map((model) => ({
            model: model.id,
            price: listPrice(model),
          }));
          const versions = await ensurePrices({ store, clock }, list);
          return new Map(versions.map((version) => [version.model, version]));
        },
      }),
    );
    const data = this.#parts.use(
      openDataPlane({
        clock,
        random,
        log,
        dashboard: () => 'https://dashboard.example.com',
        metrics: this.#registry,
        history: this.history,
        onAnnouncement: (listener) => store.onAnnouncement(listener),
        ledger,
        catalog,
        fleet,
        // Every answer passes through an audit tap, which must have no visible effect.
        audit: {
          auditor: new Auditor(
            { sample: 1, recountIn: [] },
            { fleet, alarms: this.alarms, clock, random, log },
          ),
          alarms: this.alarms,
        },
        live,
        underWay,
        stopping: new AbortController().signal,
        keys: {
          pepper: PEPPER,
          saltSecret: PEPPER.newest.secret,
          digestAgain: () => {},
          limits: () => UNLIMITED,
        },
        policy: 'least-ttft',
        waiting: waitingLimits,
        requestLog: () => this.requestLog,
        refusals: this.refusals,
        billed,
        onExhausted: (organization) => this.exhausted.push(organization),
      }),
    );
    this.handle = data.handle;
    this.waiting = data.waiting;
    this.entrance = data.entrance;
    this.answers = data.answers;
    this.#server = createServer((asked, response) => {
      const arrival = { created: clock.now(), arrived: clock.monotonic() };
      this.handle(asked, response, { region: 'global', ...arrival });
    });
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async customer(credit: bigint): Promise<Customer> {
    return await this.keyOf(await this.books.organization(credit));
  }

  /** A new key of the organization. */
  async keyOf(organization: OrganizationId): Promise<Customer> {
    const { books } = this;
    const parts = { pepper: PEPPER, brand: 'penstock', clock: books.clock, random: books.random };
    const { value, row } = mintKey(parts, { organization, name: 'test', member: null });
    await books.store.call(insertKey, row);
    return { organization, key: row.id, value };
  }

  /** Takes credit away. */
  async spend({ organization }: Customer, amount: bigint): Promise<void> {
    const less = { organization, amount: picoUsd(-amount), reason: 'test', reference: 'test' };
    expect(await adjustCredit(this.books.parts, less)).toHaveProperty('balance');
  }

  post(
    customer: Customer,
    fields: object = {},
    init: RequestInit = {},
    path = '/v1/chat/completions',
  ): Promise<Response> {
    return fetch(`${this.origin}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${customer.value}`,
        'content-type': 'application/json',
        connection: 'close',
      },
      body: bodyOf(fields),
      ...init,
    });
  }

  /** Sends a request that must reach no agent, and returns its status and error code. */
  async refused(customer: Customer, fields: object = {}) {
    return refusalOf(await readStream(await this.post(customer, fields)));
  }

  /** Sends a request, and returns once the agent has it. The test reads the response. */
  async beginRaw(customer: Customer, fields: object = {}) {
    const leaving = new AbortController();
    const response = this.post(customer, fields, { signal: leaving.signal });
    response.catch(() => {});
    return { stream: await this.agent.next(), response, leave: () => leaving.abort() };
  }

  /** Like `beginRaw`, but reads the response to its end. */
  async begin(customer: Customer, fields: object = {}): Promise<Begun> {
    const { response, ...begun } = await this.beginRaw(customer, fields);
    const seen = response.then((answer) => readStream(answer));
    seen.catch(() => {});
    return { ...begun, response, seen };
  }

  /** Like `beginRaw`, with a client that receives the response's head and then stops reading. */
  async beginUnread(customer: Customer, body = bodyOf({}), path = '/v1/chat/completions') {
    const asking = request(`${this.origin}${path}`, {
      method: 'POST',
      agent: false,
      headers: { authorization: `Bearer ${customer.value}`, 'content-type': 'application/json' },
    });
    asking.on('error', () => {});
    asking.end(body);
    const response = once(asking, 'response').then(([answer]) => answer as IncomingMessage);
    return { stream: await this.agent.next(), response };
  }

  /** The agent dials again. */
  rejoin(): void {
    this.agent = new ScriptedAgent(this.fleet, this.books);
    this.agent.report(this.models);
  }

  /** Returns an organization's usage rows, newest first, after all its requests have ended. */
  async rows(organization: OrganizationId) {
    await this.ended();
    return await this.rowsNow(organization);
  }

  async rowsNow(organization: OrganizationId) {
    const page = { organization, before: null, limit: 100 };
    return (await this.books.store.call(listUsage, page)).rows;
  }

  async ended(): Promise<void> {
    while (this.underWay.size > 0) await Promise.all(this.underWay);
  }

  balance(organization: OrganizationId) {
    return this.books.balance(organization);
  }

  /** Lets time pass, with heartbeats of both ledgers. */
  pass(ms: number): Promise<void> {
    return this.books.pass(ms, this.ledger, this.books.ledger);
  }

  /**
   * Lets time pass in steps of 50 ms, between which the store and the sockets can do their work.
   */
  async passUntil(holds: () => boolean): Promise<void> {
    while (!holds()) {
      await this.pass(50);
      await delivered();
    }
  }

  /** Polls for a condition of the store or the network. */
  async until(holds: () => boolean | Promise<boolean>): Promise<void> {
    await expect.poll(holds, PATIENCE).toBe(true);
  }

  /** Returns how many requests wait for a worker of this model. */
  waitingFor(model: string): number {
    const queues = [...this.waiting.lengths].filter((queue) => queue.model === model);
    return queues.reduce((sum, { length }) => sum + length, 0);
  }

  /** Returns how often the metrics counted an impossible report of this kind. */
  clamped(what: string): Promise<number> {
    return this.metric('penstock_router_clamps_total', { what });
  }

  /** Returns the value of a metric, as a scrape reads it; 0 if it has none. */
  async metric(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number> {
    const metric = await this.#registry.getSingleMetric(name)?.get();
    const wanted = Object.entries(labels);
    const found = metric?.values.find(({ labels: of }) =>
      wanted.every(([label, value]) => of[label] === value),
    );
    return found?.value ?? 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Requests that a failed test has left running end with their link.
    this.agent.drop();
    this.#server.closeAllConnections();
    this.#server.close();
    await this.ended();
    await this.#parts.disposeAsync();
    await this.books[Symbol.asyncDispose]();
  }
}
