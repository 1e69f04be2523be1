/** An agent between a fake router and a scripted engine, on a manual clock. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { parseAgentConfig } from '../../../agent/config.ts';
import { type RunningAgent, startAgent } from '../../../agent/main.ts';
import { type Log, makeLog } from '../../../shared/log.ts';
import { seededRandom } from '../../../shared/random.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { FakeRouter, type FakeSession, type RouterOptions } from './fake-router.ts';
import { turn } from './gate.ts';
import { ScriptedEngine, type ScriptOptions } from './scripted-engine.ts';

export type RigOptions = Readonly<{
  router?: RouterOptions;
  engine?: ScriptOptions;
  slots?: number;
  apiKey?: string;
  /** The engine's metrics page, or null if there is none. */
  metrics?: string | null;
  /** False: returns the session when it is joined, whether or not the engine is ready. */
  waits?: boolean;
  /** The agent's log. The default discards everything. */
  log?: Log;
  /** Settings of the configuration in addition to the rig's own. */
  config?: Readonly<Record<string, unknown>>;
}>;

export type Rig = AsyncDisposable &
  Readonly<{
    router: FakeRouter;
    engine: ScriptedEngine;
    agent: RunningAgent;
    clock: ManualClock;
    session: FakeSession;
    folder: string;
    metrics(): Promise<string>;
  }>;

/** A temporary folder, for as long as a test needs it. */
export async function scratch(): Promise<AsyncDisposable & { readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-agent-'));
  return {
    folder,
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

export function agentConfig(value: Readonly<Record<string, unknown>>) {
  // Tests wait for tokens without advancing the clock.
  const config = { name: 'test', metrics: { port: 0 }, lingerMs: 0, ...value };
  return parseAgentConfig(stringify(config));
}

/**
 * Resolves with the `nth` session when its engine is ready. The load report may be delayed by the
 * agent's rate limit.
 */
export async function readySession(
  router: FakeRouter,
  clock: ManualClock,
  { nth = 1, worker = 'engine' } = {},
): Promise<FakeSession> {
  const session = await router.joined(nth);
  while (session.load(worker)?.phase !== 'ready') {
    clock.advance(20);
    await turn();
  }
  return session;
}

export async function startRig(options: RigOptions = {}): Promise<Rig> {
  await using undo = new AsyncDisposableStack();
  const { folder } = undo.use(await scratch());
  const engine = undo.use(await ScriptedEngine.start(options.engine));
  if (options.metrics !== undefined) engine.metrics = options.metrics;
  const router = undo.use(await FakeRouter.start(options.router));
  const clock = new ManualClock();
  const { slots, apiKey } = options;
  const config = agentConfig({
    data: folder,
    routers: [router.url],
    engines: [
      {
        name: 'engine',
        url: engine.url,
        ...(slots !== undefined && { slots }),
        ...(apiKey !== undefined && { apiKey }),
      },
    ],
    ...options.config,
  });
  const { log = makeLog('agent', 'silent') } = options;
  const parts = { clock, random: seededRandom(1), log };
  const agent = undo.use(await startAgent(config, parts));
  const { waits = true } = options;
  const session = await (waits ? readySession(router, clock) : router.joined());
  const owned = undo.move();
  return {
    router,
    engine,
    agent,
    clock,
    session,
    folder,
    metrics: async () => (await fetch(`http://127.0.0.1:${agent.metricsPort}/metrics`)).text(),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Passes time until `holds` is true. */
export async function untilLoad(rig: Rig, holds: () => boolean): Promise<void> {
  while (!holds()) {
    rig.clock.advance(50);
    await turn();
  }
}

/** The notes of the engine in the last load report. */
export function notesOf(rig: Rig): string {
  return rig.session.load()?.notes.join('\n') ?? '';
}

export const HELLO = { model: 'test/plain', messages: [{ role: 'user', content: 'hello' }] };
