/** How a host is compared with the other hosts of its models. */
import { expect, test } from 'vitest';
import {
  comparedWith,
  comparisonInWords,
  peersOf,
} from '../../../../../../router/dashboard/pages/operator/fleet/peers.ts';
import type { FleetFigures } from '../../../../../../shared/api/fleet-history.ts';
import type { WorkerEntry } from '../../../../../../shared/api/workers.ts';
import { historyOf } from './fleet-history.ts';

const WORKERS = [
  ['gpu-1', ['lab/one', 'lab/two']],
  ['gpu-2', ['lab/two']],
  ['gpu-3', ['lab/two', 'lab/three']],
  ['gpu-4', ['lab/three']],
  ['gpu-5', ['lab/five']],
  ['gpu-6', []],
].map(([agent, models]) => ({ agent, models }) as WorkerEntry);

/** The group of a host with these medians. */
function group(agent: string, ttft: number | null, speed: number | null) {
  const total: Partial<FleetFigures> = {
    ttft_ms: ttft === null ? null : { p50: ttft, p95: 900 },
    speed: speed === null ? null : { p50: speed, p95: 900 },
  };
  const [first] = historyOf({ minutes: 60, bucketMinutes: 1, total, points: [] }).groups;
  return { ...(first ?? expect.fail('no group')), agent };
}

test('the peers of a host are the other hosts that serve one of its models', () => {
  expect(peersOf('gpu-1', WORKERS)).toEqual(new Set(['gpu-2', 'gpu-3']));
  expect(peersOf('gpu-4', WORKERS)).toEqual(new Set(['gpu-3']));
  expect(peersOf('gpu-5', WORKERS)).toEqual(new Set());
});

test('a host that serves no model has no peers that are known', () => {
  expect(peersOf('gpu-6', WORKERS)).toBeNull();
  expect(peersOf('gpu-9', WORKERS)).toBeNull();
});

test('a host is compared with the median of its peers that have answered', () => {
  const own = group('gpu-1', 300, 40);
  const groups = [own, group('gpu-2', 200, 60), group('gpu-3', 100, null), group('gpu-4', 9, 900)];
  const peers = new Set(['gpu-2', 'gpu-3', 'gpu-5']);
  expect(comparedWith(own.total, groups, peers, 'ttft_ms')).toEqual({
    own: 300,
    others: 150,
    counted: 2,
    isSlow: true,
  });
  expect(comparedWith(own.total, groups, peers, 'speed')).toEqual({
    own: 40,
    others: 60,
    counted: 1,
    isSlow: true,
  });
});

test('a host is not slow if it is about as fast as its peers, or if one of them has no figure', () => {
  const groups = [group('gpu-2', 600, 60), group('gpu-3', null, null), group('gpu-4', 9, 60)];
  const compare = (ttft: number | null, peer: string) =>
    comparedWith(group('gpu-1', ttft, null).total, groups, new Set([peer]), 'ttft_ms').isSlow;
  expect(compare(740, 'gpu-2')).toBe(false);
  expect(compare(760, 'gpu-2')).toBe(true);
  expect(compare(760, 'gpu-3')).toBe(false);
  // Some milliseconds are those of the network.
  expect(compare(50, 'gpu-4')).toBe(false);
  expect(compare(110, 'gpu-4')).toBe(true);
  expect(compare(null, 'gpu-2')).toBe(false);
});

test('a comparison names the hosts that it counts, and says so if there is none', () => {
  const said = (others: number | null, counted: number, peers: string[] | null, own = 30) =>
    comparisonInWords(
      { own, others, counted, isSlow: false },
      peers && new Set(peers),
      (value) => `${value} ms`,
    );
  expect(said(20, 2, ['gpu-2', 'gpu-3', 'gpu-4'])).toBe('Median of 2 peers: 20 ms (+50%)');
  expect(said(20, 1, ['gpu-2', 'gpu-3'])).toBe('Another host of its models: 20 ms (+50%)');
  expect(said(30, 1, ['gpu-2'])).toBe('Another host of its models: 30 ms');
  expect(said(null, 0, ['gpu-2'])).toBe('No other host of its models has a figure');
  expect(said(null, 0, [])).toBe('No other host serves its models');
  expect(said(null, 0, null)).toBe('It serves no model now');
});
