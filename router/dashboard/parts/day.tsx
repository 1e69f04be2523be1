import { dayOf, fullTime } from '../format/time.ts';
import { useZone } from '../zone.ts';

/** The date of an instant. The tooltip shows the time to the second. */
export function Day({ at, never = 'Never' }: Readonly<{ at: string | null; never?: string }>) {
  const zone = useZone();
  if (at === null) return <span className="text-muted">{never}</span>;
  return (
    <time dateTime={at} title={fullTime(at, zone)} className="whitespace-nowrap">
      {dayOf(at, zone)}
    </time>
  );
}
