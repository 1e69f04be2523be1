/**
 * The uptime of each day as a row of bars, the oldest at the left. Pointing at a bar shows the day.
 * With the keyboard, the row is one stop, and the arrow keys move between its days.
 */
import { type KeyboardEvent, useRef, useState } from 'react';
import { cx } from '../../parts/class-names.ts';
import { DayOutages } from './day-outages.tsx';
import { type DayTone, isLow, type ShownDay, UNEXPLAINED } from './days.ts';

export const DAY_COLOURS: Readonly<Record<DayTone, string>> = {
  good: 'bg-good',
  warn: 'bg-warn',
  bad: 'bg-bad',
  none: 'border border-line-strong',
};

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 };

type DayBarsProps = Readonly<{
  days: readonly ShownDay[];
  /** The whole row in words. */
  label: string;
  /** Below the bars, the oldest and the newest day are named. */
  hasAxis: boolean;
}>;

export function DayBars({ days, label, hasAxis }: DayBarsProps) {
  const last = days.length - 1;
  const [shown, setShown] = useState<number | null>(null);
  const [stop, setStop] = useState(last);
  const [opened, setOpened] = useState<string | null>(null);
  const bars = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setShown(null);
    const step = STEPS[event.key];
    const next = event.key === 'Home' ? 0 : event.key === 'End' ? last : stop + (step ?? 0);
    if (next === stop || next < 0 || next > last) return;
    event.preventDefault();
    bars.current?.querySelectorAll('button')[next]?.focus();
  };
  const day = shown === null ? undefined : days[shown];
  const explained = days.find(({ date }) => date === opened);
  return (
    <div className="relative grid gap-1">
      <div ref={bars} role="group" aria-label={label} className="flex h-9 pb-2">
        {days.map(({ date, tone, words, isMeasured, isUnexplained, incidents }, index) => (
          <button
            key={date}
            type="button"
            tabIndex={index === stop ? 0 : -1}
            aria-label={[
              `${date}: ${words}`,
              ...(isUnexplained ? [UNEXPLAINED] : []),
              ...incidents.map((one) => `Incident: ${one}`),
            ].join('. ')}
            className="relative min-w-0 flex-1 px-px hover:opacity-80"
            onKeyDown={onKeyDown}
            onPointerEnter={() => setShown(index)}
            onPointerLeave={() => setShown(null)}
            // A day with a low uptime opens to the times at which the model was not available.
            {...(isMeasured && isLow(tone) ? { 'aria-expanded': date === opened } : {})}
            onClick={() => {
              setShown(index);
              setOpened(isMeasured && isLow(tone) && date !== opened ? date : null);
            }}
            onFocus={() => {
              setStop(index);
              setShown(index);
            }}
            onBlur={() => setShown(null)}
          >
            <span className={cx('block h-full rounded-xs', DAY_COLOURS[tone])} />
            {incidents.length > 0 && (
              <span className="absolute -bottom-1.5 left-1/2 size-1 -translate-x-1/2 rounded-full bg-warn" />
            )}
          </button>
        ))}
      </div>
      {hasAxis && (
        <p aria-hidden className="flex justify-between text-xs text-muted">
          <span>{days.length} days ago</span>
          <span>Today</span>
        </p>
      )}
      {explained && <DayOutages day={explained} />}
      {day && shown !== null && <Bubble day={day} at={(100 * shown) / Math.max(1, last)} />}
    </div>
  );
}

/** `at`: where the day is in the row, in per cent. The bubble never leaves the row. */
function Bubble({ day, at }: Readonly<{ day: ShownDay; at: number }>) {
  const { date, tone, words, isMeasured, isUnexplained, incidents } = day;
  return (
    <div
      aria-hidden
      style={{ left: `${at}%`, translate: `-${at}% 0` }}
      className="pointer-events-none absolute bottom-full z-10 mb-1.5 grid w-max max-w-full gap-0.5 rounded-lg border bg-panel px-3 py-2 text-xs shadow-float"
    >
      <p className="font-medium">{date}</p>
      <p className="text-muted">{words}</p>
      {isUnexplained && <p className="text-muted">{UNEXPLAINED}</p>}
      {isMeasured && isLow(tone) && <p className="text-muted">Click for the times</p>}
      {incidents.map((title, nth) => (
        // oxlint-disable-next-line react/no-array-index-key -- Two incidents may have one title.
        <p key={nth} className="wrap-anywhere text-warn">
          Incident: {title}
        </p>
      ))}
    </div>
  );
}
