/** What alarms are made of when all is well, for tests that change one thing of it. */
import type { AlarmFacts } from '../../../router/control/platform/alarms.ts';
import {
  type Noticed,
  noticedBy,
  type NoticedParts,
} from '../../../router/control/platform/noticed.ts';
import type { Seen } from '../../../router/control/platform/router-alarms.ts';
import { RouterWatch } from '../../../router/control/platform/router-watch.ts';
import { DAY_MS } from '../../../shared/durations.ts';
import { ManualClock } from '../../support/manual-clock.ts';

export const NOW = Date.UTC(2026, 0, 31);
export const clock = new ManualClock(NOW);

export const PARTS: NoticedParts = {
  fleet: { workers: [] } as unknown as NoticedParts['fleet'],
  catalog: { models: [], status: { fault: null } } as unknown as NoticedParts['catalog'],
  provider: null,
  seller: null,
  alarmsOf: () => [],
  notReadyBecause: () => null,
  watch: new RouterWatch(clock),
};
/** What a router notices when all is well. */
const NONE = noticedBy(PARTS);

export function seenBy(noticed: Partial<Noticed>, name = 'gateway-1', regions = 'global'): Seen {
  return { router: { id: name, name }, regions, noticed: { ...NONE, ...noticed } };
}

export function routerOf(
  part: Partial<AlarmFacts['routers'][number]>,
): AlarmFacts['routers'][number] {
  const at = { recent_at: BigInt(NOW), started: BigInt(NOW - DAY_MS) };
  const own = { host: 'gateway-1', pid: null, draining: 0n, ...at };
  return { id: 'rtr_1' as never, beat: 1n, version: '0.2.0', ...own, ...part };
}

export const namesOf = (...names: string[]) => ({ names, count: names.length });

export const NOTHING: AlarmFacts = {
  now: NOW,
  routers: [routerOf({})],
  seen: [seenBy(NONE)],
  jobs: { failed: 0, oldestFailed: null, retried: 3, oldestDue: NOW - 1_000 },
  troubled: [],
  lastHour: null,
  lostHosts: [],
  startOf: () => null,
};
