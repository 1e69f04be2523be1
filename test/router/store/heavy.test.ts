import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { ConstraintViolated, StoreUnavailable } from '../../../router/store/errors.ts';
import type { Procedure } from '../../../router/store/procedure.ts';
import { openStore } from '../../../router/store/open-store.ts';
import type { Store } from '../../../router/store/store.ts';
import { makeStorePlace, type StorePlace } from '../../support/store.ts';
import { closedGate } from './gate.ts';
import * as registry from './registry.ts';

const { addPerson, addPersonAside, listPeople, listPeopleAside, spin } = registry;

let place: StorePlace;
let store: Store;
beforeEach(async () => {
  place = await makeStorePlace();
  store = await openStore(
    { url: place.url, registry: new URL('./registry.ts', import.meta.url) },
    { clock: systemClock, log: makeLog('test', 'silent') },
  );
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

test('a heavy procedure reads and writes what others do, and fails as they do', async () => {
  await store.call(addPerson, 'ada');
  expect(await store.call(listPeopleAside, null)).toEqual(['ada']);
  await store.call(addPersonAside, 'bob');
  expect(await store.call(listPeople, null)).toEqual(['ada', 'bob']);
  const twice = store.call(addPersonAside, 'bob');
  await expect(twice).rejects.toThrow(ConstraintViolated);
  await expect(twice).rejects.toMatchObject({ kind: 'unique' });
  const missing: Procedure<null, null> = { ...registry.endHeavy, name: 'nope' };
  await expect(store.call(missing, null)).rejects.toThrow('no procedure nope');
});

test('while a heavy read keeps its thread busy, others read and write', async () => {
  const { gate, started, open } = closedGate();
  const busy = store.call(spin, gate);
  await started();
  await store.call(addPerson, 'ada');
  expect(await store.call(listPeople, null)).toEqual(['ada']);
  open();
  await busy;
  expect(await store.call(listPeopleAside, null)).toEqual(['ada']);
});

test('a store that is closed while a heavy read runs answers it, and refuses the next', async () => {
  await store.call(addPerson, 'ada');
  const { gate, started, open } = closedGate();
  const busy = store.call(spin, gate);
  await started();
  const closing = store[Symbol.asyncDispose]();
  open();
  expect(await busy).toEqual(['ada']);
  await closing;
  await expect(store.call(listPeopleAside, null)).rejects.toThrow(StoreUnavailable);
});

test('a store that never had a heavy procedure refuses it once it is closed', async () => {
  await store[Symbol.asyncDispose]();
  await expect(store.call(listPeopleAside, null)).rejects.toThrow(StoreUnavailable);
});

test('a heavy thread that dies takes only its own with it, and comes back', async () => {
  await store.call(addPerson, 'ada');
  const dying = store.call(registry.endHeavy, null);
  await expect(dying).rejects.toThrow(StoreUnavailable);
  expect(await store.call(listPeople, null)).toEqual(['ada']);
  await vi.waitFor(async () => expect(await store.call(listPeopleAside, null)).toEqual(['ada']), {
    timeout: 20_000,
  });
});
