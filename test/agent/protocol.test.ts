/** An agent whose router is of a later release. */
import { expect, test } from 'vitest';
import type { FromRouter, Open } from '../../shared/wire/messages.ts';
import { HELLO, startRig } from './support/rig.ts';

test('fields that a later release has added to a message are ignored', async () => {
  await using rig = await startRig();
  const call = rig.session.open(HELLO, { later: { nested: [1, 2] } } as Partial<Open>);
  const ask = (await rig.engine.ask()).accept().role(3);
  call.grant({ later: 'field' } as object);
  ask.chunk({ content: 'hello' }, [3, 1], 'stop').usage(3, 1).done();
  await call.ended();
  expect(call.content).toBe('hello');
  expect(rig.session.closed).toBe(null);
});

test('a message of a type that the agent does not know ends the session, and says so', async () => {
  await using rig = await startRig();
  rig.session.send({ type: 'later_message', field: 1 } as unknown as FromRouter);
  await rig.session.until(() => rig.session.closed !== null);
  expect(rig.session.closed).toEqual({
    code: 4000,
    reason: 'a message has the unknown type later_message',
  });
});
