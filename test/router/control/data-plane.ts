/**
 * The data plane beside the control plane, on the same store: authenticates keys and serves
 * requests.
 */
import { expect } from 'vitest';
import { type OpenLedger, openLedger } from '../../../router/ledger/ledger.ts';
import { ensurePrices } from '../../../router/ledger/prices.ts';
import { UNLIMITED } from '../../../router/ledger/rules/limits.ts';
import type { PriceVersion, ReserveAnswer } from '../../../router/ledger/terms.ts';
import { type Caller, Callers } from '../../../router/request/authenticate.ts';
import { type Clock, systemClock } from '../../../shared/clock.ts';
import { mintId } from '../../../shared/ids.ts';
import { charge, picoUsd } from '../../../shared/money.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { isRefusal, type Refusal } from '../../../shared/refusals.ts';
import type { Region } from '../../../shared/region.ts';
import { reservationOf, usageOf } from '../../support/ledger-requests.ts';
import { log, PEPPER, type Rig } from './rig.ts';

const MODEL = 'lab/model';
/** Pico-USD per token. */
const PRICE = { prompt: picoUsd(300n), completion: picoUsd(900n), cached: picoUsd(1n) };

export class DataPlane implements AsyncDisposable {
  readonly #ledger: OpenLedger;
  readonly #callers: Callers;
  readonly #price: PriceVersion;

  private constructor(ledger: OpenLedger, callers: Callers, price: PriceVersion) {
    this.#ledger = ledger;
    this.#callers = callers;
    this.#price = price;
  }

  /** `clock` decides when keys expire. */
  static async open(rig: Rig, clock: Clock = systemClock): Promise<DataPlane> {
    const parts = { store: rig.store, clock: systemClock, random, log };
    const ledger = await openLedger(parts, { url: null, regions: ['global'] });
    const callers = new Callers({
      findKey: (digest) => ledger.findKey(digest),
      pepper: PEPPER,
      saltSecret: PEPPER.newest.secret,
      digestAgain: () => {},
      limits: () => UNLIMITED,
      clock,
    });
    const [price] = await ensurePrices(parts, [{ model: MODEL, price: PRICE }]);
    return new DataPlane(ledger, callers, price as PriceVersion);
  }

  /**
   * Authenticates an API key with a fresh lookup, as an admission does that found the cached epoch
   * stale.
   */
  authenticate(value: string, region: Region = 'global'): Promise<Caller | Refusal> {
    this.#callers.forget(`Bearer ${value}`);
    return this.#callers.authenticate(`Bearer ${value}`, region);
  }

  /** Returns the code with which the key is refused, or null if it is accepted. */
  async refusal(value: string): Promise<string | null> {
    const caller = await this.authenticate(value);
    return isRefusal(caller) ? caller.code : null;
  }

  /**
   * Serves one request from hold to charge that arrived at `created`. Returns its cost in pico-USD.
   */
  async serve(value: string, completion: number, created = systemClock.now()): Promise<bigint> {
    const caller = await this.authenticate(value);
    if (isRefusal(caller)) throw new Error(`refused: ${caller.code}`);
    const request = mintId('request', systemClock, random);
    const { organization, key, epoch, member, source } = caller;
    const cost = charge(PRICE, { prompt: 10, cached: 0, completion });
    const of = { request, organization, key, price: this.#price.id };
    const held = await this.#ledger.reserve(reservationOf({ ...of, member, epoch, amount: cost }));
    expect(held).toHaveProperty('held');
    const tokens = { prompt: 10, completion };
    const usage = usageOf({ ...of, member, source, model: MODEL, created }, tokens);
    expect(await this.#ledger.settle(usage, cost)).toMatchObject({ cost });
    return cost;
  }

  /** Returns the ledger's answer to a request that may cost so much (pico-USD), and ends it. */
  async ask(value: string, amount: bigint): Promise<ReserveAnswer> {
    const caller = await this.authenticate(value);
    if (isRefusal(caller)) throw new Error(`refused: ${caller.code}`);
    const request = mintId('request', systemClock, random);
    const { organization, key, epoch, member, limits } = caller;
    const of = { request, organization, key, price: this.#price.id };
    const wanted = { ...of, member, epoch, limits, amount: picoUsd(amount) };
    const answer = await this.#ledger.reserve(reservationOf(wanted));
    const usage = usageOf(
      { ...of, member, created: systemClock.now() },
      { prompt: 0, completion: 0 },
    );
    await this.#ledger.void(usage);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#callers.close();
    await this.#ledger[Symbol.asyncDispose]();
  }
}
