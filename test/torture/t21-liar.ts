/**
 * T21: an agent that lies in everything it reports, and one that pretends to be another. No charge
 * exceeds what the router can bound, no balance goes below zero, and the honest agent beside it
 * keeps serving.
 */
import { generateKeyPairSync } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { PICO_PER_USD } from '../../shared/money.ts';
import type { Open } from '../../shared/wire/messages.ts';
import { type Call, ClientLog } from '../support/client-log.ts';
import { until } from '../support/up.ts';
import { newAgentKey } from '../router/control/dialing-agent.ts';
import { type Account, openReader } from './books.ts';
import { FakeAgent, LIAR } from './fake-agent.ts';
import type { Fleet } from './fleet.ts';
import { LIES } from './lies.ts';
import { MODEL } from './load.ts';
import type { Customer } from './office.ts';
import { borrow, conclude, type Outcome, type Stage } from './scene.ts';

/** A model that only the liar serves, and its list price in pico-USD per token. */
const LIARS_MODEL = 'moonshotai/kimi-k2.5';
const LIARS_PRICE = { prompt: 600_000n, completion: 3_000_000n } as const;
const MAX_TOKENS = 50;
/**
 * The prompt tokens that the router allows for a chat template: 256 once, and 64 for the one
 * message.
 */
const TEMPLATE_TOKENS = 256 + 64;
/** How long a client waits for an answer that never ends. */
const PATIENCE_MS = 1_000;

export async function lie(stage: Stage): Promise<Outcome> {
  await using loan = await borrow(stage, { models: [MODEL] });
  const { fleet } = loan;
  await using lied = new ClientLog();
  const customer = await fleet.office.customer('T21', PICO_PER_USD);
  using scene = new Liars(fleet, lied, customer);
  const faults: string[] = [];
  for (const [name, play] of Object.entries(LIES)) {
    const fault = await scene.tell((open, agent) => play(agent, open));
    if (fault !== null) faults.push(`${name}: ${fault}`);
  }
  faults.push(...(await scene.pretend()));
  for (const { requestId } of lied.calls) fleet.apart.add(requestId ?? '');
  const figures = {
    lies: Object.keys(LIES).length,
    'highest charge in % of its bound': scene.highestPercent,
    'sessions ended by the router': scene.ended,
  };
  return await conclude(loan, { crashes: false }, figures, faults);
}

class Liars implements Disposable {
  readonly #fleet: Fleet;
  readonly #lied: ClientLog;
  readonly #customer: Customer;
  readonly #key = newAgentKey();
  #agent: FakeAgent | null = null;
  #joined: { id: string; token: string } | null = null;
  highestPercent = 0;
  ended = 0;

  constructor(fleet: Fleet, lied: ClientLog, customer: Customer) {
    this.#fleet = fleet;
    this.#lied = lied;
    this.#customer = customer;
  }

  /** Tells one lie to one client, and then answers another client honestly. */
  async tell(onOpen: (open: Open, agent: FakeAgent) => void): Promise<string | null> {
    const agent = await this.#dial();
    let told = false;
    agent.onOpen = (open) => {
      told = true;
      onOpen(open, agent);
    };
    const before = await this.#account();
    const call = await this.#ask();
    await this.#settled();
    const after = await this.#account();
    const fault = this.#judge(call, before.balance - after.balance, after);
    if (!told) return `the liar was not asked: ${call.status} ${call.code}`;
    return fault ?? (await this.#honest());
  }

  /** Agents that claim a false identity, and one whose identity was revoked. */
  async pretend(): Promise<string[]> {
    const faults: string[] = [];
    const { origin } = this.#fleet.router(0);
    const agent = await this.#dial();
    const { privateKey } = generateKeyPairSync('ed25519');
    const stolen = { publicKey: this.#key.publicKey, privateKey };
    const attempts = {
      'with the public key of another': { key: stolen, join: null },
      'with a key nobody knows': { key: newAgentKey(), join: null },
      'with a join token that is spent': { key: newAgentKey(), join: this.#joined?.token ?? '' },
      'a second time, beside itself': { key: this.#key, join: null, boot: 'another-boot' },
    };
    for (const [how, attempt] of Object.entries(attempts)) {
      const dialled = await FakeAgent.dial(origin, { ...attempt, model: LIARS_MODEL }).catch(
        () => null,
      );
      if (dialled) faults.push(`an agent was let in ${how}`);
      dialled?.[Symbol.dispose]();
    }
    faults.push(...(await this.#useOldSession(agent)));
    return faults;
  }

  /**
   * Revokes an agent in the middle of an answer. The agent then claims more tokens on its old
   * session.
   */
  async #useOldSession(agent: FakeAgent): Promise<string[]> {
    const { office } = this.#fleet;
    const before = await this.#account();
    const opened = Promise.withResolvers<Open>();
    agent.onOpen = (open) => opened.resolve(open);
    const asked = this.#ask();
    const open = await opened.promise;
    agent.content(open.stream, 12, 3, 'one two three');
    await office.call('POST', `/agents/${this.#joined?.id}/revoke`);
    for (let again = 0; again < 20 && agent.socket.readyState === agent.socket.OPEN; again++) {
      agent.end(open.stream, 4_000_000_000, 4_000_000_000);
      await pause(10);
    }
    const call = await asked;
    await this.#settled();
    const after = await this.#account();
    const fault = this.#judge(call, before.balance - after.balance, after);
    const back = await this.#dial().catch(() => null);
    back?.[Symbol.dispose]();
    const honest = await this.#honest();
    return [
      ...(fault === null ? [] : [`on a revoked session: ${fault}`]),
      ...(back === null ? [] : ['a revoked agent was let in again']),
      ...(honest === null ? [] : [honest]),
    ];
  }

  [Symbol.dispose](): void {
    this.#agent?.[Symbol.dispose]();
  }

  #ask(): Promise<Call> {
    return this.#lied.ask({
      base: this.#fleet.router(0).base,
      key: this.#customer.key,
      model: LIARS_MODEL,
      prompt: 'What is true?',
      maxTokens: MAX_TOKENS,
      leave: AbortSignal.timeout(PATIENCE_MS),
    });
  }

  #judge(call: Call, charged: bigint, account: Account): string | null {
    const bound =
      BigInt(call.bodyBytes + TEMPLATE_TOKENS) * LIARS_PRICE.prompt +
      BigInt(MAX_TOKENS) * LIARS_PRICE.completion;
    this.highestPercent = Math.max(this.highestPercent, Number((charged * 100n) / bound));
    if (charged < 0n) return `${-charged} was given`;
    if (charged > bound) return `${charged} was charged, above the bound of ${bound}`;
    if (account.balance < account.held) return `${account.balance} is less than what is held`;
    return null;
  }

  /** Checks that the honest agent still serves. */
  async #honest(): Promise<string | null> {
    const call = await this.#fleet.log.ask({
      base: this.#fleet.router(0).base,
      key: this.#customer.key,
      model: MODEL,
      prompt: 'Write exactly 5 tokens.',
      maxTokens: 10,
    });
    if (call.ending === 'complete') return null;
    return `then an honest agent's answer was ${call.ending} with ${call.status} ${call.code}`;
  }

  /** Returns the liar's link: the present one, or a new one if the router closed that. */
  async #dial(): Promise<FakeAgent> {
    const agent = await this.#linked();
    // A worker that reported impossible figures is drained until another worker replaces it. So
    // report none first.
    agent.send({ type: 'load', workers: [] });
    // A worker whose answers failed is taken out until a probe succeeds. The router probes at once
    // when the worker becomes ready again.
    agent.report({ phase: 'joining' });
    agent.report();
    type Page = { data: { name: string; share: number }[] };
    await until(async () => {
      const { data } = await this.#fleet.office.call<Page>('GET', '/workers');
      return data.some(({ name, share }) => name === LIAR && share > 0);
    }, 'the liar is believed again');
    return agent;
  }

  async #linked(): Promise<FakeAgent> {
    const old = this.#agent;
    if (old?.socket.readyState === old?.socket.OPEN && old) return old;
    if (old) this.ended += 1;
    const { office } = this.#fleet;
    if (!this.#joined) {
      const made = await office.call<{ id: string; join_token: string }>('POST', '/agents', {
        name: 'liar',
      });
      this.#joined = { id: made.id, token: made.join_token };
    }
    this.#agent = await FakeAgent.dial(this.#fleet.router(0).origin, {
      key: this.#key,
      join: this.#joined.token,
      model: LIARS_MODEL,
    });
    await this.#fleet.router(0).serving(this.#fleet.agents.length + 1);
    return this.#agent;
  }

  async #account(): Promise<Account> {
    await using reader = await openReader(this.#fleet.storeUrl);
    const [row] = await reader.rows<Account>(
      `SELECT id, balance, held, reserve FROM accounts WHERE id = '${this.#customer.id}'`,
    );
    if (!row) throw new Error('the customer has no account');
    return row;
  }

  async #settled(): Promise<void> {
    await until(async () => (await this.#account()).held === 0n, 'no hold after a lie');
  }
}
