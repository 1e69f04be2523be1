/**
 * A separate process that runs many light agents, with real keys, real sockets, and the load
 * reports and pings of a real agent, and no work.
 *
 * On the message `{dial: origin, tokens}` all agents dial at the same time, and those that are
 * linked already dial again. Each retries until it is welcome. The process then reports how long
 * that took in all. On the message `reports` it answers how many load reports it has sent so far.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { limits } from '../../shared/limits.ts';
import { type AgentKey, newAgentKey } from '../router/control/dialing-agent.ts';
import { FakeAgent } from './fake-agent.ts';

/** A model that no request of the scene names. */
const MODEL = 'moonshotai/kimi-k2.5';
const RETRY_MS = 500;
/** The agents report in turn, a part of them at a time, because agents do not keep step. */
const TURNS = 100;
const TURN_MS = limits.loadReportMs / TURNS;
const REPORTS_A_PING = limits.linkPingMs / limits.loadReportMs;
/** What a host with eight GPUs reports besides. */
const GPUS = Array.from({ length: 8 }, (_, nth) => {
  return { name: `NVIDIA H100 ${nth}`, memoryUsedBytes: 75e9, memoryTotalBytes: 80e9, use: 0.9 };
});

export type Dial = Readonly<{ dial: string; tokens: readonly string[] }>;
export type Dialled = Readonly<{ ms: number; retries: number; breaks: number }>;

type One = { key: AgentKey; token: string; linked: FakeAgent | null };

let crowd: One[] = [];
/** Links that were closed since the last `dial` message. */
let breaks = 0;
let turn = 0;
let reports = 0;

process.on('disconnect', () => process.exit(0));
process.on('message', (message: Dial | 'reports') => {
  if (message === 'reports') process.send?.(reports);
  else void dialAll(message);
});
setInterval(reportInTurn, TURN_MS).unref();

/** Catches up on all turns that are due, because a timer may be late. */
function reportInTurn(): void {
  const due = Math.floor(performance.now() / TURN_MS);
  // After a long stop each agent reports once, and not once for each report that it has missed.
  for (turn = Math.max(turn, due - TURNS); turn < due; turn++) {
    const round = Math.floor(turn / TURNS);
    for (let nth = turn % TURNS; nth < crowd.length; nth += TURNS) {
      const linked = crowd[nth]?.linked;
      if (!linked) continue;
      linked.report({ gpus: GPUS });
      reports += 1;
      if ((round + nth) % REPORTS_A_PING === 0) linked.socket.ping();
    }
  }
}

async function dialAll({ dial: origin, tokens }: Dial): Promise<void> {
  if (crowd.length === 0) {
    crowd = tokens.map((token) => ({ key: newAgentKey(), token, linked: null }));
  }
  for (const one of crowd) {
    one.linked?.socket.removeAllListeners('close');
    one.linked?.[Symbol.dispose]();
    one.linked = null;
  }
  breaks = 0;
  const start = performance.now();
  const retries = await Promise.all(crowd.map((one, nth) => dialUntilWelcome(origin, one, nth)));
  const said: Dialled = {
    ms: Math.round(performance.now() - start),
    retries: retries.reduce((sum, count) => sum + count, 0),
    breaks,
  };
  process.send?.(said);
}

async function dialUntilWelcome(origin: string, one: One, nth: number): Promise<number> {
  for (let retries = 0; ; retries++) {
    try {
      const of = { key: one.key, join: one.token, model: MODEL, boot: `boot-of-${nth}` };
      one.linked = await FakeAgent.dial(origin, of);
      one.linked.socket.on('close', () => {
        breaks += 1;
      });
      return retries;
    } catch {
      await pause(RETRY_MS);
    }
  }
}
