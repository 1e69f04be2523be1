/**
 * A load like that of service: short answers and long ones, prompts of many sizes, clients that
 * hang up, requests that are refused, engines that fail, keys that are revoked, and hosts that come
 * and go.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { PICO_PER_USD } from '../../shared/money.ts';
import type { Random } from '../../shared/random.ts';
import type { CallOptions } from '../support/client-log.ts';
import type { Fleet } from './fleet.ts';
import { Load, MODEL, shortAnswer } from './load.ts';
import type { Customer } from './office.ts';

/** Clients of each kind. `first` are there only until the load calms down. */
const CLIENTS = { short: 280, long: 90, leaving: 24, wrong: 12, revoked: 24, first: 48 } as const;
const CUSTOMERS = 8;
/** Long answers follow one of these documents, each above what is checked on the event loop. */
const DOCUMENTS = 20;
const DOCUMENT_CHARS = 20_000;
const LONG_TOKENS = [300, 600, 1_200] as const;
const LEFT_TOKENS = 500;
/** What the prompts of some requests say, on which the engine fails. */
const FAILS = 'the engine raises';
const BREAKS_OFF = 'the answer breaks off';
const REVOKE_EVERY_MS = 5_000;
/** Each host is away in turn: one restarts, then one is cut off for longer than may be silent. */
const HOST_EVERY_MS = 60_000;
const SILENT_MS = 14_000;
const STOP_MS_MAX = 50_000;

/** The hosts of a fleet under this load. The first serves all the time. */
export const HOSTS = { steady: 0, cutOff: 1, restarted: 2, count: 3 } as const;

type Ask = Omit<CallOptions, 'base' | 'key'>;

export class SoakLoad implements AsyncDisposable {
  readonly #fleet: Fleet;
  readonly #random: Random;
  readonly #customers: readonly Customer[];
  readonly #broke: Customer;
  readonly #stopped = new AbortController();
  readonly #parts = new AsyncDisposableStack();
  readonly #loads: Load[] = [];
  readonly #first: Load;
  readonly #chores: Promise<void>[] = [];
  /** The organization whose keys are revoked, and its key of the moment. */
  #changing: Customer;
  revoked = 0;
  /** How often a host went and came back. */
  returns = 0;

  private constructor(
    fleet: Fleet,
    random: Random,
    customers: Readonly<{ paying: readonly Customer[]; broke: Customer; changing: Customer }>,
  ) {
    this.#fleet = fleet;
    this.#random = random;
    this.#customers = customers.paying;
    this.#broke = customers.broke;
    this.#changing = customers.changing;
    this.#first = this.#ask(CLIENTS.first, this.#paying, shortestAnswer);
  }

  static async start(fleet: Fleet, random: Random): Promise<SoakLoad> {
    const customer = (name: string, usd: bigint) => fleet.office.customer(name, usd * PICO_PER_USD);
    const paying = await Promise.all(
      Array.from({ length: CUSTOMERS }, (_, nth) => customer(`Customer ${nth}`, 10_000n)),
    );
    const broke = await customer('Broke', 0n);
    const changing = await customer('Changes its keys', 10_000n);
    await fleet.fault({
      request_500: { containing: FAILS },
      eof: { containing: BREAKS_OFF, after_tokens: 5 },
    });
    const load = new SoakLoad(fleet, random, { paying, broke, changing });
    load.#begin();
    return load;
  }

  /**
   * Ends the many short requests with which the load begins. They write so much to the store that
   * the page caches of SQLite are full after minutes.
   */
  calmDown(): Promise<void> {
    return this.#first.stop();
  }

  /** Ends the chores and the requests. Resolves when all hosts are back. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#chores);
    await Promise.all(this.#loads.map((load) => load.stop()));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped.abort();
    await this.#parts.disposeAsync();
    await Promise.allSettled(this.#chores);
  }

  readonly #paying = (nth: number): string => this.#customers[nth % CUSTOMERS]?.key ?? '';

  #begin(): void {
    const paying = this.#paying;
    this.#ask(CLIENTS.short, paying, shortAnswer);
    this.#ask(CLIENTS.long, paying, longAnswer);
    this.#ask(CLIENTS.leaving, paying, leftAnswer);
    this.#ask(CLIENTS.wrong, (nth) => [paying(nth), this.#broke.key][nth % 2] ?? '', wrongRequest);
    this.#ask(CLIENTS.revoked, () => this.#changing.key, shortAnswer);
    this.#chores.push(this.#revokeKeys(), this.#loseHosts());
    // A chore that fails ends the scene in `stop`.
    for (const chore of this.#chores) chore.catch(() => {});
  }

  #ask(streams: number, keyOf: (nth: number) => string, ask: (random: Random) => Ask): Load {
    const { log } = this.#fleet;
    const { base } = this.#fleet.router(0);
    const target = (nth: number) => ({ base, key: keyOf(nth) });
    const load = new Load({ log, streams, random: this.#random, target, ask });
    this.#loads.push(this.#parts.use(load));
    return load;
  }

  /** Replaces a key, and revokes the old one while requests with it are in flight. */
  async #revokeKeys(): Promise<void> {
    while (await this.#goesOnAfter(REVOKE_EVERY_MS)) {
      const { id, keyId } = this.#changing;
      const next = await this.#fleet.office.key(id);
      // Requests between this and the next line are sent with a revoked key.
      await this.#fleet.office.revokeKey(id, keyId);
      await this.#goesOnAfter(this.#random.below(200));
      this.#changing = { id, ...next };
      this.revoked += 1;
    }
  }

  async #loseHosts(): Promise<void> {
    const { agents } = this.#fleet;
    const [cutOff, restarted] = [agents[HOSTS.cutOff], agents[HOSTS.restarted]];
    if (!cutOff || !restarted) throw new Error('the fleet has too few hosts');
    while (await this.#goesOnAfter(HOST_EVERY_MS / 2)) {
      await restarted.stop(STOP_MS_MAX);
      await restarted.start();
      this.returns += 1;
      if (!(await this.#goesOnAfter(HOST_EVERY_MS / 2))) break;
      cutOff.pause();
      await this.#goesOnAfter(SILENT_MS);
      cutOff.resume();
      this.returns += 1;
    }
  }

  /** Waits. Returns false at once when the load is to stop. */
  async #goesOnAfter(ms: number): Promise<boolean> {
    const { signal } = this.#stopped;
    await pause(ms, undefined, { signal }).catch(() => {});
    return !signal.aborted;
  }
}

function shortestAnswer(random: Random): Ask {
  const prompt = `Write exactly 1 token about number ${random.below(1_000_000)}.`;
  return { model: MODEL, prompt, maxTokens: 1, streamed: false };
}

function longAnswer(random: Random): Ask {
  const tokens = LONG_TOKENS[random.below(LONG_TOKENS.length)] ?? 600;
  const document = `Document ${random.below(DOCUMENTS)}. `.repeat(DOCUMENT_CHARS / 13);
  return {
    model: MODEL,
    prompt: `${document}\nWrite exactly ${tokens} tokens about it.`,
    maxTokens: tokens + 10,
  };
}

/** Its client hangs up after some events, in one of four before the first. */
function leftAnswer(random: Random): Ask {
  const leaving = new AbortController();
  const most = random.below(4) === 0 ? 0 : 1 + random.below(60);
  if (most === 0) setTimeout(() => leaving.abort(), random.below(30));
  return {
    ...shortAnswer(random),
    streamed: true,
    prompt: `Write exactly ${LEFT_TOKENS} tokens about number ${random.below(1_000_000)}.`,
    maxTokens: LEFT_TOKENS,
    leave: leaving.signal,
    onEvent: ({ events }) => {
      if (events >= most) leaving.abort();
    },
  };
}

/** A request that is refused, or one on which the engine fails. */
function wrongRequest(random: Random): Ask {
  const kinds: readonly Partial<Ask>[] = [
    { model: 'nobody/has-this-model' },
    { maxTokens: -1 },
    { prompt: `Number ${random.below(1_000_000)}: ${FAILS}.` },
    { prompt: `Number ${random.below(1_000_000)}: ${BREAKS_OFF}.`, streamed: true },
  ];
  return { ...shortAnswer(random), ...kinds[random.below(kinds.length)] };
}
