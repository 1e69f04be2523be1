/** How tokens are put into the messages of a link. */
import { expect, test } from 'vitest';
import type { FakeSession } from './support/fake-router.ts';
import { delivered, turn } from './support/gate.ts';
import { HELLO, startRig } from './support/rig.ts';

test('tokens within the linger time after a message are sent together, and at its end', async () => {
  await using rig = await startRig({ config: { lingerMs: 1 } });
  const messages = messagesOf(rig.session);
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3);
  await call.until(() => call.records.length === 1);
  ask.chunk({ content: 'a' }, [3, 1]);
  await delivered();
  ask.chunk({ content: 'b' }, [3, 2]);
  await delivered();
  expect(call.records).toHaveLength(1);

  while (call.records.length < 3) {
    rig.clock.advance(1);
    await turn();
  }
  expect(call.content).toBe('ab');
  expect(messages()).toBe(2);
});

test('a token that comes after the linger time is sent at once', async () => {
  await using rig = await startRig({ config: { lingerMs: 1 } });
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3);
  await call.until(() => call.records.length === 1);
  rig.clock.advance(1);
  ask.chunk({ content: 'a' }, [3, 1]);
  await call.until(() => call.content === 'a');
});

test('an agent that stops sends the tokens and the end that linger', async () => {
  await using rig = await startRig({ config: { lingerMs: 20 } });
  const call = rig.session.open(HELLO);
  const ask = (await rig.engine.ask()).accept().role(3);
  await call.until(() => call.records.length === 1);
  ask.chunk({ content: 'a' }, [3, 1]).chunk({}, [3, 1], 'stop').usage(3, 1).done();
  await rig.agent.drain();
  expect((await call.ended()).end).toMatchObject({ outcome: 'finished', finish: 'stop' });
  expect(call.content).toBe('a');
});

/** Counts the messages with records that a session receives from now on. */
function messagesOf(session: FakeSession): () => number {
  let messages = 0;
  session.socket.on('message', (_data, isBinary) => {
    if (isBinary) messages += 1;
  });
  return () => messages;
}
