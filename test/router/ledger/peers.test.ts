/**
 * Routers learn of each other through the store: each one's address for agents, and its regions.
 */
import { expect, test } from 'vitest';
import type { OpenLedger } from '../../../router/ledger/ledger.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { FaultyStore } from './faulty-store.ts';
import { Rig } from './rig.ts';

function peersOf(ledger: OpenLedger): () => readonly string[] {
  let urls: readonly string[] = [];
  ledger.watchPeers((peers) => {
    urls = peers.map(({ url, regions }) => `${url} ${regions.join('+')}`);
  });
  return () => urls;
}

test('a router is named from when it says where it is until it takes that back', async () => {
  await using rig = await Rig.start();
  const other = await rig.openLedger();
  const seen = peersOf(rig.ledger);
  await rig.ledger.heartbeat();
  expect(seen()).toEqual([]);
  await other.advertise('wss://other/agent');
  await rig.ledger.heartbeat();
  expect(seen()).toEqual(['wss://other/agent global']);
  // A router does not list itself.
  await rig.ledger.advertise('wss://this/agent');
  await rig.ledger.heartbeat();
  expect(seen()).toEqual(['wss://other/agent global']);
  await other.advertise(null);
  await rig.ledger.heartbeat();
  expect(seen()).toEqual([]);
});

test('one that has died is named until it is known to be dead, one that begins again is named anew', async () => {
  await using rig = await Rig.start();
  const dead = await rig.openLedger({ clock: new ManualClock() });
  await dead.advertise('wss://dead/agent');
  const seen = peersOf(rig.ledger);
  await rig.pass(20_000, rig.ledger);
  expect(seen()).toEqual(['wss://dead/agent global']);
  await rig.pass(20_000, rig.ledger);
  expect(seen()).toEqual([]);
  // The router was only slow. It notices that it was declared dead, and registers again with its
  // address.
  await dead.heartbeat();
  await rig.ledger.heartbeat();
  expect(seen()).toEqual(['wss://dead/agent global']);
});

test('what the store did not take is told with a later beat', async () => {
  await using rig = await Rig.start();
  const faulty = new FaultyStore(rig.store);
  const other = await rig.openLedger({ store: faulty });
  const seen = peersOf(rig.ledger);
  faulty.fault = 'unreached';
  await other.advertise('wss://other/agent');
  faulty.fault = 'none';
  await rig.ledger.heartbeat();
  expect(seen()).toEqual([]);
  await other.heartbeat();
  await other.heartbeat();
  await rig.ledger.heartbeat();
  expect(seen()).toEqual(['wss://other/agent global']);
});
