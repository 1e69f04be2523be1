/**
 * What rogue hosts do: they enrol like any other host, lie about every answer, and flood the link
 * in between.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from '../../../shared/random.ts';
import { RecordBatch, KIND } from '../../../shared/wire/frames.ts';
import { type AgentKey, idleEngine, newAgentKey } from '../../router/control/dialing-agent.ts';
import { FakeAgent } from '../fake-agent.ts';
import { LIES } from '../lies.ts';

const DIAL_AGAIN_MS = 1_000;
const FLOOD_EVERY_MS = 2_000;

type Flood = (agent: FakeAgent, stream: number) => void;

const FLOODS: Readonly<Record<string, Flood>> = {
  'a report of 2.6 MB': (agent) => {
    const models = Array.from({ length: 1_024 }, (_, nth) => `model-${nth}`);
    const workers = Array.from({ length: 128 }, (_, nth) => ({
      ...idleEngine(`engine-${nth}`),
      models,
    }));
    for (let again = 0; again < 7; again++) agent.send({ type: 'load', workers });
  },
  'a thousand reports': (agent) => {
    for (let again = 0; again < 1_000; again++) agent.report({ running: again });
  },
  'records of a byte': (agent, stream) => {
    for (let message = 0; message < 8; message++) {
      const batch = new RecordBatch();
      for (let nth = 0; nth < 20_000; nth++) batch.addText(stream, KIND.content, 12, 1, 'x');
      agent.socket.send(batch.take());
    }
  },
  'records of nothing': (agent, stream) => {
    const batch = new RecordBatch();
    for (let nth = 0; nth < 100_000; nth++) batch.addText(stream, KIND.content, 12, 1, '');
    agent.socket.send(batch.take());
  },
  'echoes of what never was': (agent) => {
    const chunks = Buffer.alloc(48_000, 7).toString('base64');
    const dispatched = { at: 'dispatched', from: 'r', promptTokens: 1, uncachedTokens: 1, chunks };
    const events = Array.from({ length: 40 }, (_, nth) => ({ ...dispatched, stream: nth + 1 }));
    agent.send({ type: 'echo', worker: 'liar', events });
  },
};

/** Runs one rogue host for ever. `onEnded` is called for each session that the router ends. */
export async function runRogue(
  at: Readonly<{ origin: string; joinToken: string; model: string; random: Random }>,
  onEnded: () => void,
): Promise<never> {
  const key = newAgentKey();
  for (;;) {
    using agent = await dial(at, key);
    if (agent) {
      await misbehave(agent, at.random);
      onEnded();
    }
    await pause(DIAL_AGAIN_MS);
  }
}

function dial(
  { origin, joinToken, model }: Readonly<{ origin: string; joinToken: string; model: string }>,
  key: AgentKey,
): Promise<FakeAgent | null> {
  return FakeAgent.dial(origin, { key, join: joinToken, model }).catch(() => null);
}

/** Lies and floods until the session is ended. */
async function misbehave(agent: FakeAgent, random: Random): Promise<void> {
  const lies = Object.values(LIES);
  const floods = Object.values(FLOODS);
  let stream = 1;
  agent.onOpen = (open) => {
    stream = open.stream;
    lies[random.below(lies.length)]?.(agent, open);
  };
  while (agent.socket.readyState === agent.socket.OPEN) {
    await pause(random.below(FLOOD_EVERY_MS));
    floods[random.below(floods.length)]?.(agent, stream);
    agent.report();
  }
}
