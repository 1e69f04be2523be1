/** Routers that keep history on one store, each with its own view of the fleet. */
import { Fleet } from '../../../router/fleet/fleet.ts';
import { writeFleetHistory } from '../../../router/control/fleet-history/write.ts';
import { FleetHistory } from '../../../router/history/history.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';
import { LEVELS, ordinalOf } from '../../../router/history/levels.ts';
import type { HistoryQuery } from '../../../router/history/read.ts';
import { HistoryRecorder } from '../../../router/history/recorder.ts';
import type { Store } from '../../../router/store/store.ts';
import type { FleetHistory as ShownHistory } from '../../../shared/api/fleet-history.ts';
import type { Region } from '../../../shared/region.ts';
import type { Rig } from '../ledger/rig.ts';

type Told = Readonly<{
  store?: Pick<Store, 'call'>;
  models?: readonly string[];
  waiting?: () => readonly Readonly<{ model: string; region: Region; length: number }>[];
  regions?: readonly Region[];
}>;

/** One router process, without anything but its history. */
export class HistoryRouter implements AsyncDisposable {
  readonly recorder = new HistoryRecorder();
  readonly fleet: Fleet;
  readonly history: FleetHistory;

  constructor(rig: Rig, told: Told = {}) {
    const { clock, random, log } = rig;
    const { store = rig.store, models = [], waiting = () => [], regions = ['global'] } = told;
    const { recorder } = this;
    const fleet = (this.fleet = new Fleet(rig));
    const sampled = () => ({ workers: fleet.workers, models, waiting: waiting(), regions });
    this.history = new FleetHistory({ recorder, store, clock, random, log, sampled });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.history[Symbol.asyncDispose]();
  }
}

/** Ends the current minute on every router, and waits until it is written. */
export async function endMinute(rig: Rig, ...routers: readonly HistoryRouter[]): Promise<void> {
  rig.clock.advance(MINUTE_MS - (rig.clock.now() % MINUTE_MS));
  for (const { history } of routers) await history.written();
}

/** The history of the last hour by the minute, or else as `query` has it. */
export async function readHistory(
  rig: Rig,
  query: Partial<HistoryQuery> = {},
): Promise<ShownHistory> {
  const now = rig.clock.now();
  const { level = 'minute' } = query;
  const until = ordinalOf(LEVELS[level], now - 1) + 1;
  const narrowed = { groupBy: null, model: null, region: null, agent: null, worker: null };
  const written = await rig.store.call(writeFleetHistory, {
    level,
    from: until - 60,
    until,
    step: 1,
    end: now,
    groups: 10,
    ...narrowed,
    ...query,
  });
  return JSON.parse(new TextDecoder().decode(written)) as ShownHistory;
}
