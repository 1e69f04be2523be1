/** The uptime of each day as a row of bars, the oldest at the left. */
import { DAY_MS } from '../../../../shared/durations.ts';
import { shownUptime } from '../../format/count.ts';
import { utcDay } from '../../format/utc.ts';

const GOOD = 0.999;
const FAIR = 0.95;
const STEP = 4;
const HEIGHT = 28;

type DayBarsProps = Readonly<{
  /** Null where nothing is known. */
  days: readonly (number | null)[];
  /** An instant of the last day. */
  today: string;
}>;

export function DayBars({ days, today }: DayBarsProps) {
  const last = days.length - 1;
  const dayOf = (index: number) =>
    utcDay(new Date(Date.parse(today) - (last - index) * DAY_MS).toISOString());
  return (
    <svg
      role="img"
      aria-label={inWords(days, dayOf)}
      viewBox={`0 0 ${STEP * days.length - 1} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="h-7 w-full"
    >
      {days.map((uptime, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- The place in the row is the day.
        <rect key={index} x={STEP * index} width={STEP - 1} height={HEIGHT} fill={colourOf(uptime)}>
          <title>
            {dayOf(index)}: {uptime === null ? 'no data' : inOneDay(uptime)}
          </title>
        </rect>
      ))}
    </svg>
  );
}

/** The days of this row are whole but for the first and today, so that a share is told, not hours. */
function inOneDay(uptime: number): string {
  if (uptime === 1) return 'available all the time';
  return `${shownUptime(uptime)} available, ${(100 * (1 - uptime)).toFixed(2)}% not available`;
}

function colourOf(uptime: number | null): string {
  if (uptime === null) return 'var(--line)';
  return `var(--${uptime >= GOOD ? 'good' : uptime >= FAIR ? 'warn' : 'bad'})`;
}

function inWords(days: readonly (number | null)[], dayOf: (index: number) => string): string {
  const bad = days.flatMap((uptime, index) =>
    uptime === null || uptime >= GOOD ? [] : [`${dayOf(index)}: ${shownUptime(uptime)}`],
  );
  const known = days.filter((uptime) => uptime !== null).length;
  if (known === 0) return 'No data by day';
  const rest = bad.length === 0 ? 'none below 99.9%' : `below 99.9% on ${bad.join(', ')}`;
  return `Uptime of ${known} days: ${rest}`;
}
