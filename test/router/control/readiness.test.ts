/** Readiness, as load balancers see it, and the reasons, as operators see them. */
import { expect, test } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { startRig } from './rig.ts';

test('a router that is not ready says what is to be put right', async () => {
  let reason: string | null = "this machine's clock is 61 s off from the store's";
  await using rig = await startRig(systemClock, ['global'], { notReadyBecause: () => reason });
  const ready = () => rig.ask('GET', '/readyz', undefined, { authorization: '' });
  expect(await ready()).toMatchObject({ status: 200, body: { status: 'ready' } });
  rig.isReady = false;
  expect(await ready()).toMatchObject({ status: 503, body: { status: 'not ready', reason } });
  reason = null;
  expect((await ready()).body).toEqual({ status: 'not ready' });
});
