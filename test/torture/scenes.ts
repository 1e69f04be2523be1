/** The scenes: a long form of each for `npm run torture`, a short one for `npm run test:e2e`. */
import { Fleet } from './fleet.ts';
import { hostileHour } from './hostile/hour.ts';
import { MODEL } from './load.ts';
import { pauseRouters } from './pause.ts';
import { breakOne, poison } from './poison.ts';
import { rate } from './rate.ts';
import type { Outcome, Stage, StoreKind } from './scene.ts';
import { killRouters } from './t1-kills.ts';
import { slowReaders } from './t10-slow-readers.ts';
import { idleStreams } from './t11-idle-streams.ts';
import { dialTogether } from './t12-links.ts';
import { smuggle } from './t13-http.ts';
import { fuzzLink } from './t13-link.ts';
import { routes } from './t16-routes.ts';
import { cent, crowd } from './t2-crowd.ts';
import { revoke } from './t20-revocation.ts';
import { lie } from './t21-liar.ts';
import { soak } from './t22-soak.ts';
import { money } from './t23-money.ts';
import { killAgents } from './t3-agent.ts';
import { restartPostgres } from './t4-restart.ts';
import { leap } from './t7-clock.ts';
import { leapInjected } from './t7-injected.ts';
import { loseHost } from './t8-host.ts';
import { fillDisk } from './t9-disk.ts';

/**
 * Starts the fleet that scenes share: engines that write fast, and one model that only the liar
 * serves.
 */
export function sharedFleet(stage: Stage): Promise<Fleet> {
  return Fleet.start({
    postgres: stage.postgres,
    routers: stage.store === 'postgres' ? 3 : 1,
    agents: 2,
    // None of these scenes kills a router. The long time to live keeps a busy machine from looking
    // like a dead router.
    holdTtlMs: 30_000,
    tokenMs: 2,
    models: SERVED,
  });
}

const SERVED = [
  MODEL,
  'qwen/qwen3.5-397b-a17b',
  'moonshotai/kimi-k2-thinking',
  'deepseek-ai/deepseek-v4-flash',
  'minimax/minimax-m3',
];

export type Scene = Readonly<{
  name: string;
  /** What the scene demonstrates. */
  shows: string;
  stores: readonly StoreKind[];
  /** Whether the scene leaves a fleet as it found it, so that others can use it. */
  shares: boolean;
  /** Whether even the short form needs the machine to itself. */
  isAlone?: true;
  long: (stage: Stage) => Promise<Outcome>;
  /** Null: the scene takes minutes and has no short form. */
  short: ((stage: Stage) => Promise<Outcome>) | null;
}>;

const MINUTE_MS = 60_000;
const BOTH: readonly StoreKind[] = ['sqlite', 'postgres'];

export const SCENES: readonly Scene[] = [
  {
    name: 'T1',
    shows: 'a router killed at random points under load charges every complete answer exactly once',
    stores: BOTH,
    shares: false,
    long: (stage) => killRouters(stage, { kills: 100, streams: 200 }),
    short: (stage) => killRouters(stage, { kills: 3, streams: 100 }),
  },
  {
    name: 'T2',
    shows: 'a crowd that wants more than there is never takes a balance below zero',
    stores: BOTH,
    shares: true,
    long: (stage) => crowd(stage, { clients: 500, answerTokens: 20_000 }),
    short: (stage) => crowd(stage, { clients: 500, answerTokens: 4_200 }),
  },
  {
    name: 'cent',
    shows: 'with USD 0.01 left what runs ends at the paid token, and what arrives gets 402',
    stores: BOTH,
    shares: true,
    long: (stage) => cent(stage, { clients: 50, answerTokens: 20_000 }),
    short: (stage) => cent(stage, { clients: 50, answerTokens: 5_000 }),
  },
  {
    name: 'T3',
    shows: 'an agent killed under its streams ends them without [DONE], free and untried again',
    stores: BOTH,
    shares: true,
    long: (stage) => killAgents(stage, { kills: 20, streams: 100 }),
    short: (stage) => killAgents(stage, { kills: 1, streams: 40 }),
  },
  {
    name: 'T4',
    shows: 'a PostgreSQL that goes away is answered with 503, and served from again unaided',
    stores: ['postgres'],
    shares: false,
    long: (stage) =>
      restartPostgres(stage, {
        blows: ['fast shutdown', 'crash', 'kill -9', 'hung', 'crash', 'kill -9', 'crash'],
        streams: 60,
        // Longer than a router waits for an answer about a charge that may have been made.
        downMs: 12_500,
      }),
    short: (stage) =>
      restartPostgres(stage, {
        blows: ['fast shutdown', 'crash', 'kill -9'],
        streams: 30,
        downMs: 2_000,
      }),
  },
  {
    name: 'T7',
    shows:
      'a wall clock that leaps by an hour and by a day frees no hold early and charges nothing twice',
    stores: BOTH,
    shares: false,
    long: (stage) => leap(stage, { streams: 40, longStreams: 20 }),
    short: leapInjected,
  },
  {
    name: 'host',
    shows:
      'an agent killed under streams costs only those that had begun, and for less than a second',
    stores: ['sqlite'],
    shares: false,
    long: (stage) => loseHost(stage, { how: 'killed', streams: 200 }),
    short: (stage) => loseHost(stage, { how: 'killed', streams: 200 }),
  },
  {
    name: 'T8',
    shows: 'a host that is cut off is missed within 15 s, and nothing that it had hangs',
    stores: ['sqlite'],
    shares: false,
    long: (stage) => loseHost(stage, { how: 'cut off', streams: 200 }),
    short: (stage) => loseHost(stage, { how: 'cut off', streams: 40 }),
  },
  {
    name: 'T9',
    shows: 'a full disk refuses work before it is generated, and heals when there is room again',
    stores: BOTH,
    shares: false,
    long: (stage) => fillDisk(stage, { rounds: 4, streams: 40, fullMs: 5_000 }),
    short: (stage) => fillDisk(stage, { rounds: 1, streams: 20, fullMs: 1_500 }),
  },
  {
    name: 'T12',
    shows:
      'a thousand agents that dial at once are all back within a minute, and nobody waits for them',
    stores: BOTH,
    shares: false,
    long: (stage) => dialTogether(stage, { agents: 1_000, isAlone: true }),
    // In the long form both stores face the whole crowd.
    short: (stage) =>
      dialTogether(stage, { agents: stage.store === 'sqlite' ? 1_000 : 200, isAlone: false }),
  },
  {
    name: 'T13',
    shows: 'a peer of the link that breaks a rule is gone within a second, and the others serve on',
    stores: ['sqlite'],
    shares: false,
    long: (stage) => fuzzLink(stage, { noises: 5_000 }),
    short: (stage) => fuzzLink(stage, { noises: 200 }),
  },
  {
    name: 'smuggling',
    shows:
      'what is not one plain HTTP request is refused once, and nothing hidden in it is served (T13)',
    stores: ['sqlite'],
    shares: true,
    long: smuggle,
    short: smuggle,
  },
  {
    name: 'T10',
    shows: 'readers who do not read cost 256 KB each at most, and are cut at the stall limit',
    stores: ['sqlite'],
    shares: false,
    long: (stage) => slowReaders(stage, { readers: 1_000 }),
    // There is no short form, because the stall limit alone is a minute.
    short: null,
  },
  {
    name: 'T11',
    shows: 'ten thousand idle streams cost 30 KB each at most, and short requests hardly notice',
    stores: ['sqlite'],
    shares: false,
    long: (stage) => idleStreams(stage, { streams: 10_000, shortMs: 20_000, isMeasured: true }),
    // Beside other scenes, memory and times are reported but not judged.
    short: (stage) => idleStreams(stage, { streams: 1_000, shortMs: 2_000, isMeasured: false }),
  },
  {
    name: 'T16',
    shows: 'every route that infers charges what it shows, and no other path reaches an engine',
    stores: BOTH,
    shares: true,
    long: routes,
    short: routes,
  },
  {
    name: 'T20',
    shows: 'a revoked key is refused everywhere from then on, and a suspended stream is cut',
    stores: BOTH,
    shares: true,
    long: (stage) => revoke(stage, { afterMs: 125_000, pauseMs: 2_000, streams: 20 }),
    short: (stage) => revoke(stage, { afterMs: 1_000, pauseMs: 1_000, streams: 5 }),
  },
  {
    name: 'T21',
    shows: 'a dishonest agent charges no more than the router can bound, and harms nobody else',
    stores: BOTH,
    shares: true,
    long: lie,
    short: lie,
  },
  {
    name: 'T22',
    shows: 'under half an hour of every kind of load, memory, descriptors and timers stay flat',
    stores: ['sqlite'],
    shares: false,
    long: (stage) => soak(stage, { minutes: stage.minutes ?? 30 }),
    // There is no short form, because caches take minutes to fill.
    short: null,
  },
  {
    name: 'T23',
    shows: 'money is exact at any size, and what answers show adds up to what left the balance',
    stores: BOTH,
    shares: true,
    long: (stage) => money(stage, { runs: 200_000, requests: 10_000 }),
    short: (stage) => money(stage, { runs: 2_000, requests: 200 }),
  },
  {
    name: 'poison',
    shows: 'a request that kills its engine is tried on two workers, and the others serve on',
    stores: ['sqlite'],
    shares: false,
    long: (stage) => poison(stage, { streams: 100, rounds: 20 }),
    short: (stage) => poison(stage, { streams: 20, rounds: 4 }),
  },
  {
    name: 'breaker',
    shows:
      'a worker that fails all it is given is left out, unnoticed, and comes back when it generates',
    stores: ['sqlite'],
    shares: false,
    long: (stage) => breakOne(stage, { streams: 60 }),
    short: (stage) => breakOne(stage, { streams: 20 }),
  },
  {
    name: 'pause',
    shows:
      'a router that stands still for twice the time to live charges nothing doubly when it goes on',
    stores: BOTH,
    shares: false,
    long: (stage) => pauseRouters(stage, { rounds: 8, streams: 100, holdTtlMs: 6_000 }),
    short: (stage) => pauseRouters(stage, { rounds: 1, streams: 40, holdTtlMs: 2_000 }),
  },
  {
    name: 'rate',
    shows: 'a limit of 600 a minute admits 600 in any sixty seconds, over all routers together',
    stores: BOTH,
    shares: false,
    // `npm test` covers this with an injected clock: test/router/ledger/rate-limits.test.ts.
    long: (stage) => rate(stage, { forMs: 150_000 }),
    short: null,
  },
  {
    name: 'hostile',
    shows: 'what hostile clients and rogue hosts do all at once, honest customers do not notice',
    stores: ['sqlite'],
    shares: false,
    isAlone: true,
    long: (stage) => {
      const hostileMs = (stage.minutes ?? 60) * MINUTE_MS;
      return hostileHour(stage, { quietMs: MINUTE_MS, hostileMs, isMeasured: true });
    },
    short: (stage) => hostileHour(stage, { quietMs: 5_000, hostileMs: 15_000, isMeasured: false }),
  },
];
