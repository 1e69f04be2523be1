/** What the status page says of each day of a model in a region. */
import type { Incident } from '../../../../shared/api/incidents.ts';
import type { ModelStatus } from '../../../../shared/api/public-figures.ts';
import { DAY_MS } from '../../../../shared/durations.ts';
import { GOOD_UPTIME, UPTIME_DAYS } from '../../../../shared/public-figures.ts';
import { shownUptime } from '../../format/count.ts';
import { utcDay } from '../../format/utc.ts';

const FAIR = 0.95;

type State = ModelStatus['regions'][number]['state'];

export type DayTone = 'good' | 'warn' | 'bad' | 'none';

export type ShownDay = Readonly<{
  /** Such as `"Nov 26"`. */
  date: string;
  tone: DayTone;
  /** The uptime in words. */
  words: string;
  /** Today is not until its uptime is known. */
  isMeasured: boolean;
  /** Whether the uptime was low and no incident was open on that day. */
  isUnexplained: boolean;
  /** The titles of the incidents that were open on that day, the newest first. */
  incidents: readonly string[];
  /** When the model was not available on that day, the oldest first. */
  outages: readonly Outage[];
}>;

export type Outage = ModelStatus['regions'][number]['outages'][number];

type DaysParts = Readonly<{
  /** The uptime of each day, the oldest first; null where it was not measured. May be empty. */
  days: readonly (number | null)[];
  /** An instant of the last day. */
  today: string;
  /** The state of the model now, which is said of the last day until its uptime is known. */
  state: State;
  /** Those of this model and region, the newest first. */
  incidents: readonly Pick<Incident, 'title' | 'created' | 'resolved'>[];
  /** Those of this model and region, the newest first. */
  outages: readonly Outage[];
}>;

export function shownDays({
  days,
  today,
  state,
  incidents,
  outages,
}: DaysParts): readonly ShownDay[] {
  const known = days.length === 0 ? Array.from({ length: UPTIME_DAYS }, () => null) : days;
  const first = Math.floor(Date.parse(today) / DAY_MS) - known.length + 1;
  return known.map((uptime, index) => {
    const isToday = index === known.length - 1;
    const isAwaited = uptime === null && isToday;
    const measured = toneOf(uptime);
    const start = (first + index) * DAY_MS;
    const open = incidents.filter(
      ({ created, resolved }) =>
        Date.parse(created) < start + DAY_MS &&
        (resolved === null || Date.parse(resolved) >= start),
    );
    return {
      date: utcDay(new Date(start).toISOString()),
      tone: isAwaited ? TONES_NOW[state] : measured,
      isMeasured: uptime !== null,
      words: isAwaited ? UNMEASURED_NOW[state] : wordsOf(uptime),
      isUnexplained: isLow(measured) && open.length === 0,
      incidents: open.map(({ title }) => title),
      outages: outages
        .filter((one) => Math.floor(Date.parse(one.start) / DAY_MS) === first + index)
        .toReversed(),
    };
  });
}

/** What is said of a day below its uptime. */
export const UNEXPLAINED = 'No incident was reported';

/** The whole row in one sentence. */
export function summaryOfDays(
  days: readonly (number | null)[],
  shown: readonly ShownDay[],
): string {
  const known = days.filter((uptime) => uptime !== null).length;
  if (known === 0) return 'No day was measured yet';
  const bad = shown.flatMap(({ date, tone, isMeasured }, index) =>
    isMeasured && isLow(tone) ? [`${date}: ${shownUptime(days[index] ?? null)}`] : [],
  );
  const rest = bad.length === 0 ? 'none below 99.9%' : `below 99.9% on ${bad.join(', ')}`;
  return `Uptime of ${known} ${known === 1 ? 'day' : 'days'}: ${rest}`;
}

/** Whether the uptime of a day is below that of a good one. */
export function isLow(tone: DayTone): boolean {
  return tone === 'warn' || tone === 'bad';
}

/** What is said of today until its uptime is known. */
const UNMEASURED_NOW: Readonly<Record<State, string>> = {
  operational: 'Not measured yet, operational now',
  degraded: 'Not measured yet, degraded now',
  no_capacity: 'Not measured yet, unavailable now',
  no_data: 'Not measured',
};

/** Today is drawn as what the model is now until its uptime is known. */
const TONES_NOW: Readonly<Record<State, DayTone>> = {
  operational: 'good',
  degraded: 'warn',
  no_capacity: 'bad',
  no_data: 'none',
};

function toneOf(uptime: number | null): DayTone {
  if (uptime === null) return 'none';
  if (uptime >= GOOD_UPTIME) return 'good';
  return uptime >= FAIR ? 'warn' : 'bad';
}

/** Days are whole but for the first and today, so that a share is told, not hours. */
function wordsOf(uptime: number | null): string {
  if (uptime === null) return 'Not measured';
  if (uptime === 1) return '100% uptime';
  return `${shownUptime(uptime)} uptime, ${(100 * (1 - uptime)).toFixed(2)}% unavailable`;
}
