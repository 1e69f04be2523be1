import { dayOf, fullTime } from '../format/time.ts';

/** The day of an instant, with its year; to the second for those who hover. */
export function Day({ at, never = 'Never' }: Readonly<{ at: string | null; never?: string }>) {
  if (at === null) return <span className="text-muted">{never}</span>;
  return (
    <time dateTime={at} title={fullTime(at)} className="whitespace-nowrap">
      {dayOf(at)}
    </time>
  );
}
