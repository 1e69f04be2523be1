/** What is in flight: it is found while it is there, and nothing refers to it afterwards. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InFlight, InFlightByNumber } from '../../shared/in-flight.ts';
import type { BytesThatGetOld } from './bytes-that-get-old.ts';

test('it has what was added and not deleted, as a Set has', () => {
  const commands = fc.array(fc.record({ adds: fc.boolean(), which: fc.nat(20) }), {
    maxLength: 100,
  });
  const property = fc.property(commands, (all) => {
    const inFlight = new InFlight<object>();
    const model = new Map<object, number>();
    for (const { adds, which } of all) {
      const known = [...model.keys()][which];
      if (adds || known === undefined) {
        const item = {};
        model.set(item, inFlight.add(item));
      } else {
        const place = model.get(known) as number;
        expect(inFlight.delete(place, known)).toBe(true);
        model.delete(known);
        expect(inFlight.delete(place, known)).toBe(false);
      }
      expect(inFlight.size).toBe(model.size);
      expect(new Set(inFlight)).toEqual(new Set(model.keys()));
    }
  });
  fc.assert(property);
});

test('an item that was deleted cannot delete the one that has its place now', () => {
  const inFlight = new InFlight<string>();
  const place = inFlight.add('first');
  inFlight.delete(place, 'first');
  expect(inFlight.add('second')).toBe(place);
  expect(inFlight.delete(place, 'first')).toBe(false);
  expect([...inFlight]).toEqual(['second']);
});

test('items may be deleted and added while all are visited', () => {
  const inFlight = new InFlight<number>();
  const places = [1, 2, 3, 4].map((item) => inFlight.add(item));
  const visited: number[] = [];
  for (const item of inFlight) {
    visited.push(item);
    if (item !== 2) continue;
    for (const gone of [1, 2, 3]) inFlight.delete(places[gone - 1] as number, gone);
  }
  expect(visited).toEqual([1, 2, 4]);
  inFlight.clear();
  expect([...inFlight]).toEqual([]);
  expect(inFlight.delete(places[3] as number, 4)).toBe(false);
});

test('items are found by their numbers until they are deleted', () => {
  const inFlight = new InFlightByNumber<string>();
  inFlight.add(7, 'seven');
  inFlight.add(9, 'nine');
  expect([inFlight.get(7), inFlight.get(8), inFlight.get(9)]).toEqual(['seven', null, 'nine']);
  expect(() => inFlight.add(9, 'again')).toThrow('9 is in flight already');
  expect([inFlight.delete(7), inFlight.delete(7)]).toEqual(['seven', null]);
  expect([inFlight.get(7), inFlight.size]).toEqual([null, 1]);
  for (const number of inFlight.numbers()) inFlight.delete(number);
  expect([...inFlight]).toEqual([]);
});

test('what was deleted does not get old, as it does in a Map', async () => {
  const worker = new Worker(new URL('bytes-that-get-old.ts', import.meta.url), { execArgv: [] });
  const [told] = await once(worker, 'message');
  const { kept, left, leftNumbered } = told as BytesThatGetOld;
  expect(kept).toBeGreaterThan(20_000_000);
  expect(left).toBeLessThan(kept / 10);
  expect(leftNumbered).toBeLessThan(kept / 10);
});
