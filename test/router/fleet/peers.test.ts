import { expect, test } from 'vitest';
import { mayServe, peersFor } from '../../../router/fleet/peers.ts';

const at = (name: string, ...regions: string[]) => ({ url: `wss://${name}/agent`, regions });

test('an agent of a region serves its listeners and global ones, a global agent global ones alone', () => {
  expect(mayServe('us', ['us'])).toBe(true);
  expect(mayServe('us', ['eu', 'global'])).toBe(true);
  expect(mayServe('us', ['eu'])).toBe(false);
  expect(mayServe('global', ['global'])).toBe(true);
  expect(mayServe('global', ['us', 'eu'])).toBe(false);
});

test('it is told of the routers that it may serve, each once, whatever their order', () => {
  const [us, eu, all] = [at('us', 'us'), at('eu', 'eu'), at('all', 'us', 'eu', 'global')];
  expect(peersFor('us', [us, eu, all])).toEqual([all.url, us.url]);
  // A router that died, and its successor at the same address. Both are listed until the dead one
  // is swept.
  expect(peersFor('us', [all, us, all])).toEqual([all.url, us.url]);
  expect(peersFor('global', [us, eu, all])).toEqual([all.url]);
  expect(peersFor('eu', [us])).toEqual([]);
});

test('of more routers than an agent serves it is told of some', () => {
  const many = Array.from({ length: 1_000 }, (_, n) => at(`r${n}`, 'global'));
  expect(peersFor('global', many).length).toBe(256);
});
