/**
 * The alarms of now, of what all routers have reported. Each router also finds them once a minute to
 * record when they began and ended.
 */
import { routerName } from '../../../shared/router-names.ts';
import { MINUTE_MS } from '../../../shared/durations.ts';
import { readFaultStarts } from '../../history/fault-starts.ts';
import type { JobCounts } from '../../jobs/counts.ts';
import type { ScheduledTask } from '../../jobs/scheduler.ts';
import type { IncarnationRow } from '../../store/schema/fleet.ts';
import { listLostAgents } from '../agents/absences.ts';
import type { ControlParts } from '../parts.ts';
import type { PublicFigures } from '../public-figures/answers.ts';
import { stateOf } from '../routers/state.ts';
import type { FoundAlarm } from './alarm.ts';
import { recordAlarms } from './alarm-log.ts';
import { AlarmTimes } from './alarm-times.ts';
import { alarmsFrom, faultsIn } from './alarms.ts';
import { cacheLastHour } from './availability.ts';
import { FaultStarts } from './fault-starts.ts';
import { type Noticed, noticedBy, type NoticedParts, readNoticed } from './noticed.ts';
import { readPlatformState } from './procedures.ts';
import type { Seen } from './router-alarms.ts';
import { soon } from './soon.ts';

export type PlatformAlarmsParts = NoticedParts &
  Pick<ControlParts, 'store' | 'clock' | 'log' | 'incarnation'> &
  Readonly<{ figures: Pick<PublicFigures, 'get' | 'latest'> }>;

export class PlatformAlarms {
  readonly #parts: PlatformAlarmsParts;
  readonly #times = new AlarmTimes();
  readonly #starts: FaultStarts;
  readonly #lastHour: ReturnType<typeof cacheLastHour>;

  constructor(parts: PlatformAlarmsParts) {
    const { store, clock, log } = parts;
    this.#parts = parts;
    this.#starts = new FaultStarts({
      clock,
      log,
      read: async (faults, now) => await store.call(readFaultStarts, { faults, now }),
    });
    this.#lastHour = cacheLastHour(parts);
  }

  async find(): Promise<Readonly<{ alarms: readonly FoundAlarm[]; jobs: JobCounts }>> {
    const { store, clock, figures } = this.#parts;
    const now = clock.now();
    const { jobs, routers, beginnings } = await store.call(readPlatformState, { now });
    const [models, hour] = await Promise.all([
      soon(clock, 'public figures', figures),
      soon(clock, 'figures of the last hour', this.#lastHour),
    ]);
    const seen = seenBy(this.#parts, routers, now);
    const troubled = models?.troubled ?? [];
    const alarms = alarmsFrom({
      now,
      routers,
      seen,
      jobs,
      troubled,
      startOf: await this.#starts.of(faultsIn({ seen, troubled })),
      lastHour: hour,
      lostHosts: await store.call(listLostAgents, { now }),
    });
    return { alarms: this.#times.since(alarms, { recorded: beginnings, now }), jobs };
  }

  get task(): ScheduledTask {
    return {
      name: 'record alarms',
      everyMs: MINUTE_MS,
      run: async () => {
        const { alarms } = await this.find();
        const { store, clock } = this.#parts;
        await store.call(recordAlarms, { alarms, now: clock.now() });
      },
    };
  }
}

/**
 * What each router sees: this one as it is now, the others as they have reported it. Of a router
 * that has stopped reporting, an alarm says that instead.
 */
function seenBy(
  parts: PlatformAlarmsParts,
  routers: readonly IncarnationRow[],
  now: number,
): Seen[] {
  const own = parts.incarnation();
  const known = routers.flatMap((row): Seen[] => {
    const state = stateOf(row, now);
    if (row.id === own || state === 'offline' || state === 'silent') return [];
    const noticed = readNoticed(row.noticed);
    return noticed ? [reportOf(row, noticed)] : [];
  });
  const row = routers.find(({ id }) => id === own);
  const noticed = noticedBy(parts);
  // Until it is in the store, there is no name of this router.
  const present = row
    ? reportOf(row, noticed)
    : { router: { id: own, name: routerName({ id: own }) }, regions: '', noticed };
  return [present, ...known];
}

/** A router that was told to stop is not ready on purpose: that is no alarm. */
function reportOf(row: IncarnationRow, noticed: Noticed): Seen {
  return {
    router: { id: row.id, name: routerName(row) },
    regions: row.regions,
    noticed: row.draining === 1n ? { ...noticed, not_ready: null } : noticed,
  };
}
