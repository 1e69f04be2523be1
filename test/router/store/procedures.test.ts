import { afterAll, beforeAll, expect, test } from 'vitest';
import { sleep, systemClock } from '../../../shared/clock.ts';
import { makeLog } from '../../../shared/log.ts';
import { ConstraintViolated, StoreUnavailable } from '../../../router/store/errors.ts';
import { openStore } from '../../../router/store/open-store.ts';
import type { Store } from '../../../router/store/store.ts';
import { makeStorePlace, type StorePlace } from '../../support/store.ts';
import * as registry from './registry.ts';

const { addPerson } = registry;

let place: StorePlace;
let store: Store;
beforeAll(async () => {
  place = await makeStorePlace();
  store = await openStore(
    { url: place.url, registry: new URL('./registry.ts', import.meta.url) },
    { clock: systemClock, log: makeLog('test', 'silent') },
  );
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
  await place[Symbol.asyncDispose]();
});

/** Returns those of these people who exist. */
async function present(...ids: string[]): Promise<string[]> {
  const people = await store.call(registry.listPeople, null);
  return ids.filter((id) => people.includes(id));
}

test('a procedure that throws has written nothing, and its error arrives', async () => {
  await expect(store.call(registry.throwLate, 'ada')).rejects.toThrow('changed my mind');
  await store.call(addPerson, 'bob');
  const twice = store.call(addPerson, 'bob');
  await expect(twice).rejects.toThrow(ConstraintViolated);
  await expect(twice).rejects.toMatchObject({ kind: 'unique' });
  expect(await present('ada', 'bob')).toEqual(['bob']);
});

test('writes asked for at once run one after another', async () => {
  const names = Array.from({ length: 100 }, (_, n) => `p${String(n).padStart(3, '0')}`);
  await Promise.all(names.map((name) => store.call(addPerson, name)));
  expect(await present(...names)).toEqual(names);
});

test('MONEY 24: a write that does not end within two seconds is undone, and keeps nobody waiting longer', async () => {
  const hanging = store.call(registry.hang, 'hanging');
  const next = store.call(addPerson, 'next');
  await expect(hanging).rejects.toThrow(StoreUnavailable);
  await next;
  expect(await present('hanging', 'next')).toEqual(['next']);
});

test('a procedure that goes on after its end reaches nobody else’s transaction', async () => {
  await store.call(registry.stray, 'stray');
  await sleep(systemClock, 60);
  await store.call(addPerson, 'after');
  expect(await present('stray', 'after')).toEqual(['after']);
});

test('a long query delays no write', async () => {
  const order: string[] = [];
  const count = async () => {
    expect(await store.call(registry.count, 4)).toBe(4_000_000n);
    order.push('query');
  };
  const long = count();
  for (const id of ['q1', 'q2', 'q3']) await store.call(addPerson, id);
  order.push('writes');
  await long;
  expect(order).toEqual(['writes', 'query']);
});

test('a reader cannot write', async () => {
  await expect(store.call(registry.writeAsReader, 'reader')).rejects.toThrow(/read-?only/);
  expect(await present('reader')).toEqual([]);
});
