/**
 * Honest requests at a steady rate, sent by a thread of their own: what the program that measures does
 * beside them is no part of their latency.
 */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { Agent, request } from 'undici';

export interface HonestRequests {
  readonly url: string;
  readonly key: string;
  /** The body of each, as JSON. */
  readonly body: string;
  readonly perSecond: number;
  readonly seconds: number;
}

/** Sends them all. Returns their latencies in ms. Throws if an answer is not 200. */
export async function sendHonestRequests(requests: HonestRequests): Promise<readonly number[]> {
  const thread = new Worker(new URL(import.meta.url), { workerData: requests });
  const [took] = (await once(thread, 'message')) as [readonly number[]];
  return took;
}

async function send(dispatcher: Agent, { url, key, body }: HonestRequests): Promise<number> {
  const began = performance.now();
  const answer = await request(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
    dispatcher,
  });
  await answer.body.dump();
  if (answer.statusCode !== 200) throw new Error(`an honest request got ${answer.statusCode}`);
  return performance.now() - began;
}

async function sendAll(requests: HonestRequests): Promise<readonly number[]> {
  const dispatcher = new Agent({ connections: 16 });
  const took: Promise<number>[] = [];
  const start = performance.now();
  for (let i = 0; i < requests.seconds * requests.perSecond; i++) {
    await pause(Math.max(0, start + (i * 1_000) / requests.perSecond - performance.now()));
    took.push(send(dispatcher, requests));
  }
  const latencies = await Promise.all(took);
  await dispatcher.close();
  return latencies;
}

if (!isMainThread) {
  const took = await sendAll(workerData as HonestRequests);
  parentPort?.postMessage(took, []);
}
