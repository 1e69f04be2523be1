/**
 * A separate process that runs many light agents, with real keys, real sockets and a load report
 * each second, and no work.
 *
 * On the message `{dial: origin, tokens}` all agents dial at the same time, and those that are
 * linked already dial again. Each retries until it is welcome. The process then reports how long
 * that took in all.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type AgentKey, newAgentKey } from '../router/control/dialing-agent.ts';
import { FakeAgent } from './fake-agent.ts';

/** A model that no request of the scene names. */
const MODEL = 'moonshotai/kimi-k2.5';
const RETRY_MS = 500;
const REPORT_MS = 1_000;

export type Dial = Readonly<{ dial: string; tokens: readonly string[] }>;
export type Dialled = Readonly<{ ms: number; retries: number; breaks: number }>;

type One = { key: AgentKey; token: string; linked: FakeAgent | null };

let crowd: One[] = [];
/** Links that were closed since the last `dial` message. */
let breaks = 0;

process.on('disconnect', () => process.exit(0));
process.on('message', (message) => void dialAll(message as Dial));
setInterval(() => {
  for (const { linked } of crowd) linked?.report();
}, REPORT_MS).unref();

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
