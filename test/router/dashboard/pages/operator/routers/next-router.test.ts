/** Which router took the place of one that has ended, by their machines and times. */
import { expect, test } from 'vitest';
import { nextRouterOn } from '../../../../../../router/dashboard/pages/operator/routers/next-router.ts';
import type { Router } from '../../../../../../shared/api/routers.ts';

const at = (minute: number) => `2026-11-21T08:0${minute}:00.000Z`;

function router(id: string, host: string | null, started: number, ended: number | null = null) {
  const end = ended === null ? null : { at: at(ended), declared_dead_by: null };
  return { id, host, started: at(started), reported: at(ended ?? 9), ended: end } as Router;
}

const old = router('rtr_1', 'gateway-1', 1, 3);
const beside = router('rtr_2', 'gateway-1', 2);
const elsewhere = router('rtr_3', 'gateway-2', 4);
const next = router('rtr_4', 'gateway-1', 5, 6);
const later = router('rtr_5', 'gateway-1', 7);
const ALL = [later, next, elsewhere, beside, old];

test('the next router is the first that started on the machine after the end', () => {
  expect(nextRouterOn(old, ALL)).toBe(next);
  expect(nextRouterOn(next, ALL)).toBe(later);
  expect(nextRouterOn(router('rtr_6', 'gateway-1', 1, 5), ALL)).toBe(next);
});

test('no router on another machine, and none that ran beside it, has taken its place', () => {
  expect(nextRouterOn(old, [old, beside, elsewhere])).toBeNull();
  expect(nextRouterOn(router('rtr_6', null, 1, 3), ALL)).toBeNull();
  expect(nextRouterOn(later, ALL)).toBeNull();
});

test('a router that was declared dead ended before that, at its last report', () => {
  const dead = {
    ...old,
    reported: at(3),
    ended: { at: at(6), declared_dead_by: 'rtr_3' },
  } as Router;
  expect(nextRouterOn(dead, ALL)).toBe(next);
  expect(nextRouterOn({ ...dead, reported: null }, ALL)).toBe(later);
});

test('if the end was not recorded, the last report stands for it', () => {
  const lost = { ...old, ended: null };
  expect(nextRouterOn(lost, ALL)).toBe(next);
  expect(nextRouterOn({ ...lost, reported: null }, ALL)).toBeNull();
});
