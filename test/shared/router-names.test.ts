import { expect, test } from 'vitest';
import { routerName } from '../../shared/router-names.ts';

test('a router that has not told its machine yet has the end of its id as its name', () => {
  const id = 'rtr_01kbzj3v9m8y4e5q6w7t8q2mzw';
  expect(routerName({ id })).toBe('rtr_…8q2mzw');
  expect(routerName({ id, host: null, pid: null })).toBe('rtr_…8q2mzw');
  expect(routerName({ id, host: 'gateway-1' })).toBe('gateway-1');
  expect(routerName({ id, host: 'gateway-1', pid: 4711n })).toBe('gateway-1 · process 4711');
});
