import { dayOf, fullTime } from '../format/time.ts';

/** The date of an instant. The tooltip shows the time to the second. */
export function Day({ at, never = 'Never' }: Readonly<{ at: string | null; never?: string }>) {
  if (at === null) return <span className="text-muted">{never}</span>;
  return (
    <time dateTime={at} title={fullTime(at)} className="whitespace-nowrap">
      {dayOf(at)}
    </time>
  );
}
