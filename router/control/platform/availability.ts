/** Whether too many requests of the last hour failed, by the history of the fleet. */
import type { Reliability } from '../../../shared/api/platform.ts';
import {
  AVAILABILITY_MIN,
  FAST_BURN,
  JUDGED_FAILURES_MIN,
  writtenAvailability,
} from '../../../shared/availability.ts';
import type { Clock } from '../../../shared/clock.ts';
import type { Store } from '../../store/store.ts';
import { CachedValue } from '../cached-value.ts';
import { type Maybe, urgent, warning } from './alarm.ts';
import { readLastHour } from './reliability.ts';

/** Routers write the history once a minute. However many operators ask, it is read this rarely. */
const MS_MAX = 20_000;

type Parts = Readonly<{ store: Pick<Store, 'call'>; clock: Clock }>;

export function cacheLastHour({ store, clock }: Parts): CachedValue<Reliability> {
  return new CachedValue(clock, MS_MAX, () => store.call(readLastHour, { now: clock.now() }));
}

/** `hour`: null if it is not known. */
export function availabilityAlarm(hour: Reliability | null): Maybe {
  if (hour === null || hour.availability === null) return null;
  const { availability, answered, cancelled, unavailable, failed } = hour;
  const failures = unavailable + failed;
  if (failures < JUDGED_FAILURES_MIN || availability >= AVAILABILITY_MIN) return null;
  const all = answered + cancelled + failures;
  const raise = 1 - availability > FAST_BURN ? urgent : warning;
  return raise(
    'availability_low',
    'fleet',
    `The availability of the last hour is ${writtenAvailability(availability)}: ${counted(failures)} of ${counted(all)} requests failed. The objective is ${100 * AVAILABILITY_MIN}%.`,
  );
}

function counted(count: number): string {
  return count.toLocaleString('en');
}
