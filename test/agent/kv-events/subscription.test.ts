/** The bounds of what an agent reads from an engine's event socket, on a manual clock. */
import { expect, test } from 'vitest';
import { Publisher } from 'zeromq';
import {
  type BatchReader,
  READ_BYTES,
  SOCKET,
  Subscription,
} from '../../../agent/engine/kv-events/subscription.ts';
import { KvPublisher } from '../../../agent/simulator/vllm/kv-publisher.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { standstill, turn } from '../support/gate.ts';

/** Counts what it reads. */
class Count implements BatchReader {
  batches = 0;
  missedGaps = 0;
  restarts = 0;

  batch(): void {
    this.batches += 1;
  }

  restarted(): void {
    this.restarts += 1;
  }

  missed(): void {
    this.missedGaps += 1;
  }
}

/** `queued`: how many messages the publisher keeps for a subscriber that does not read. */
async function subscribe(queued = 1_000) {
  const publisher = new Publisher({ linger: 0, sendHighWaterMark: queued });
  await publisher.bind('tcp://127.0.0.1:0');
  const clock = new ManualClock();
  const count = new Count();
  const endpoint = publisher.lastEndpoint ?? '';
  const stop = new AbortController();
  const subscription = new Subscription({ endpoint }, count, clock);
  let connections = 0;
  const follow = async () => {
    for (; !stop.signal.aborted; connections++) await subscription.run(stop.signal);
  };
  const running = follow();
  let number = 0n;
  return {
    clock,
    count,
    ended: () => connections,
    restart: () => void (number = 0n),
    skip: (numbers: bigint) => void (number += numbers),
    async publish(payload: Buffer): Promise<void> {
      const bytes = Buffer.alloc(8);
      bytes.writeBigUInt64BE(number++);
      await publisher.send(['', bytes, payload]);
      await turn();
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
      await running;
      publisher.close();
    },
  };
}

test('an engine that publishes without end is read at a bounded rate', async () => {
  await using rig = await subscribe(4);
  const { count } = rig;
  const largest = Buffer.alloc(SOCKET.maxMessageSize);
  const most = READ_BYTES.burst / SOCKET.maxMessageSize;
  while (count.batches < most) await rig.publish(largest);
  for (let more = 0; more < 50; more++) await rig.publish(largest);
  await standstill(() => count.batches);
  expect(count.batches).toBe(most);
  rig.clock.advance(1_000);
  while (count.batches === most) await rig.publish(largest);
});

test('a frame above the largest ends the connection, and what fits is read on the next', async () => {
  await using rig = await subscribe();
  const { count } = rig;
  const small = Buffer.alloc(10);
  while (count.batches === 0) await rig.publish(small);
  await rig.publish(Buffer.alloc(SOCKET.maxMessageSize + 1));
  while (rig.ended() === 0) await turn();
  const before = count.batches;
  while (count.batches === before) await rig.publish(small);
});

test('numbers that go back are a restart, and a gap without a replay socket is missed', async () => {
  await using rig = await subscribe();
  const { count } = rig;
  const batch = Buffer.alloc(10);
  while (count.batches === 0) await rig.publish(batch);
  rig.skip(10n);
  await rig.publish(batch);
  rig.restart();
  await rig.publish(batch);
  while (count.restarts === 0) await turn();
  expect(count.missedGaps).toBe(1);
});

test('batches that were not published are replayed in their places, so often and no more', async () => {
  const address = 'tcp://127.0.0.1:0';
  using publisher = await KvPublisher.bind({ endpoint: address, replay: address, loseEvery: 3 });
  const { endpoint, replayEndpoint } = publisher;
  const read: number[] = [];
  let missed = 0;
  const reader: BatchReader = {
    batch(payload) {
      read.push(payload.readUInt32BE());
    },
    restarted: () => expect.unreachable(),
    missed: () => void missed++,
  };
  const stop = new AbortController();
  const sockets = { endpoint, replay: replayEndpoint ?? '' };
  const running = new Subscription(sockets, reader, new ManualClock()).run(stop.signal);
  let published = 0;
  const publish = () => {
    const payload = Buffer.alloc(4);
    payload.writeUInt32BE(published++);
    publisher.publish(payload);
  };
  while (read.length === 0) {
    publish();
    await turn();
  }
  while (missed === 0) {
    const before = read.length;
    publish();
    while (read.length === before && published % 3 !== 0) await turn();
  }
  // Up to the first gap that is not filled, every batch is read in its order.
  const gap = read.findIndex((number, at) => number !== (read[0] ?? 0) + at);
  const replayed = read.slice(0, gap).filter((number) => (number + 1) % 3 === 0);
  expect(replayed.length).toBeGreaterThanOrEqual(5);
  stop.abort();
  await running;
});
