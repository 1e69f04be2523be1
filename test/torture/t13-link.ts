/**
 * T13, the agent link: peers that break the protocol or send noise. A peer that breaks a rule is
 * disconnected within a second. The router keeps running and logs no crash, and an honest agent
 * keeps serving.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { PICO_PER_USD } from '../../shared/money.ts';
import { type Random, seededRandom } from '../../shared/random.ts';
import { newAgentKey } from '../router/control/dialing-agent.ts';
import { BAD_FRAMES, BAD_GREETINGS, BAD_MESSAGES, mutated, ODD_MESSAGES } from './bad-manners.ts';
import { Fleet } from './fleet.ts';
import { MODEL } from './load.ts';
import { RawPeer } from './raw-peer.ts';
import { conclude, type Outcome, type Stage } from './scene.ts';

const CLOSED_MS_MAX = 1_000;
/** A peer that was merely unusual is still connected after this time. */
const ODD_MS = 100;
const HONEST_EACH = 25;
const CRASH = /unhandled|uncaught|TypeError|RangeError|ERR_/i;

type Act = (peer: RawPeer, random: Random) => void;

export async function fuzzLink(
  stage: Stage,
  { noises }: Readonly<{ noises: number }>,
): Promise<Outcome> {
  await using fleet = await Fleet.start({ postgres: stage.postgres, models: [MODEL], tokenMs: 2 });
  const scene = new Fuzzers(fleet, seededRandom(stage.seed));
  await scene.enrol();
  const { pid } = fleet.router(0).process;
  const acts = [
    ...Object.entries(BAD_FRAMES).map(([name, act]) => ({ name, act, joins: false })),
    ...Object.entries(BAD_GREETINGS).map(([name, act]) => ({ name, act, joins: false })),
    ...Object.entries(BAD_FRAMES).map(([name, act]) => ({ name, act, joins: true })),
    ...Object.entries(BAD_MESSAGES).map(([name, act]) => ({ name, act, joins: true })),
  ];
  for (const { name, act, joins } of acts) await scene.misbehave(name, act, joins);
  for (const [name, act] of Object.entries(ODD_MESSAGES)) await scene.beOdd(name, act);
  for (let noise = 0; noise < noises; noise++) await scene.makeNoise(mutated);
  await scene.askHonestly();

  const { process } = fleet.router(0);
  if (!process.isRunning || process.pid !== pid) scene.faults.push('the router has ended');
  const crash = process.output.split('\n').find((line) => CRASH.test(line));
  if (crash) scene.faults.push(`the router said: ${crash}`);
  const figures = {
    'rules broken': acts.length,
    'closed after ms at most': Math.round(scene.slowestMs),
    noises: noises,
    'of them closed': scene.closed,
  };
  return await conclude({ fleet, from: 0 }, { crashes: false }, figures, scene.faults);
}

class Fuzzers {
  readonly faults: string[] = [];
  slowestMs = 0;
  closed = 0;
  readonly #fleet: Fleet;
  readonly #random: Random;
  readonly #key = newAgentKey();
  #token = '';
  #customer = '';
  #acts = 0;

  constructor(fleet: Fleet, random: Random) {
    this.#fleet = fleet;
    this.#random = random;
  }

  async enrol(): Promise<void> {
    const { office } = this.#fleet;
    const enrolled = await office.call<{ join_token: string }>('POST', '/agents', { name: 'fuzz' });
    this.#token = enrolled.join_token;
    this.#customer = (await office.customer('T13', PICO_PER_USD)).key;
  }

  /** A peer that breaks a rule must be disconnected soon. */
  async misbehave(name: string, act: Act, joins: boolean): Promise<void> {
    using peer = await this.#dial(joins);
    const start = performance.now();
    act(peer, this.#random);
    const late = pause(CLOSED_MS_MAX, null, { ref: false });
    const closedAt = await Promise.race([peer.closed, late]);
    if (closedAt === null) this.faults.push(`still there: ${name}`);
    else this.slowestMs = Math.max(this.slowestMs, closedAt - start);
    await this.#askNowAndThen(name);
  }

  async beOdd(name: string, act: Act): Promise<void> {
    using peer = await this.#dial(true);
    act(peer, this.#random);
    const left = await Promise.race([peer.closed, pause(ODD_MS, null)]);
    if (left !== null) this.faults.push(`closed for no reason: ${name}`);
    await this.#askNowAndThen(name);
  }

  /**
   * Random noise may happen to be a valid message, so the test judges only whether the router
   * survives it.
   */
  async makeNoise(act: Act): Promise<void> {
    using peer = await this.#dial(true);
    for (let more = this.#random.below(4); more >= 0; more--) act(peer, this.#random);
    const left = await Promise.race([peer.closed, pause(10, null)]);
    if (left !== null) this.closed += 1;
    await this.#askNowAndThen('noise');
  }

  async askHonestly(after = 'all of it'): Promise<void> {
    const { base } = this.#fleet.router(0);
    const key = this.#customer;
    const prompt = 'Write exactly 5 tokens.';
    const call = await this.#fleet.log.ask({ base, key, model: MODEL, prompt, maxTokens: 10 });
    if (call.ending !== 'complete') {
      this.faults.push(`after ${after} an honest request was ${call.ending}: ${call.code}`);
    }
  }

  async #askNowAndThen(after: string): Promise<void> {
    this.#acts += 1;
    if (this.#acts % HONEST_EACH === 0) await this.askHonestly(after);
  }

  async #dial(joins: boolean): Promise<RawPeer> {
    const peer = await RawPeer.dial(this.#fleet.router(0).origin);
    if (joins) await peer.join(this.#key, this.#token);
    return peer;
  }
}
