/** At which hours of a day a model was not available in a region. */
import { shownUptime } from '../../format/count.ts';
import { utcClock } from '../../format/utc.ts';
import type { ShownDay } from './days.ts';

export function DayOutages({ day: { date, outages } }: Readonly<{ day: ShownDay }>) {
  const label = `Not available on ${date}`;
  return (
    <section aria-label={label} className="grid gap-1 rounded-lg border px-3 py-2 text-xs">
      <p className="font-medium">{label} (UTC)</p>
      {outages.length === 0 && (
        <p className="text-muted">The hours of this day are not known any more.</p>
      )}
      <ul className="grid gap-0.5 text-muted">
        {outages.map(({ start, end, uptime }) => (
          <li key={start}>
            <time dateTime={start}>{utcClock(start)}</time> to{' '}
            <time dateTime={end}>{utcClock(end, true)}</time>:{' '}
            {uptime === 0 ? 'unavailable' : `available for ${shownUptime(uptime)} of this time`}
          </li>
        ))}
      </ul>
    </section>
  );
}
