/** The names and colours of the lines of a chart. */
import { type ReactNode, useId } from 'react';
import { useChartGroup } from './chart-group.tsx';
import { cx } from '../class-names.ts';
import { ColourMark } from './colour-mark.tsx';
import { type Coloured, colourOf } from './series.ts';
import { hiddenAfterPress, hiddenAfterShiftPress, shownLines } from './shown-lines.ts';

type LegendProps = Readonly<{
  series: readonly Coloured[];
  /** What a click on a series does, and the title of its button; null: nothing. */
  pick?: (index: number) => Readonly<{ title: string; onPick: () => void }> | null;
}>;

/** In a group of charts, its names choose which lines are shown, unless `pick` says what they do. */
export function Legend({ series, pick }: LegendProps) {
  const group = useChartGroup();
  if (group !== null && pick === undefined && series.length > 1) {
    return <Choice series={series} {...group} />;
  }
  return (
    <Entries series={series}>
      {(name, index) => {
        const picked = pick?.(index) ?? null;
        if (picked === null) return <span className="truncate">{name}</span>;
        return (
          <button
            type="button"
            className="truncate hover:text-ink hover:underline max-sm:min-h-11"
            title={picked.title}
            onClick={picked.onPick}
          >
            {name}
          </button>
        );
      }}
    </Entries>
  );
}

type ChoiceProps = Readonly<{
  series: readonly Coloured[];
  hidden: ReadonlySet<string>;
  setHidden: (hidden: ReadonlySet<string>) => void;
}>;

function Choice({ series, hidden, setHidden }: ChoiceProps) {
  const hint = useId();
  const shown = new Set(shownLines(series, hidden).map(({ name }) => name));
  return (
    <>
      <Entries series={series} isShown={(name) => shown.has(name)}>
        {(name) => (
          <button
            type="button"
            aria-pressed={shown.has(name)}
            aria-describedby={hint}
            title={`Click to show ${shown.size === 1 && shown.has(name) ? 'all lines' : `only ${name}`}. Hold Shift to ${shown.has(name) ? 'hide' : 'show'} this line.`}
            className={cx(
              'truncate hover:text-ink hover:underline max-sm:min-h-11',
              !shown.has(name) && 'line-through decoration-muted',
            )}
            onClick={({ shiftKey }) => {
              const after = shiftKey ? hiddenAfterShiftPress : hiddenAfterPress;
              setHidden(after(series, hidden, name));
            }}
          >
            {name}
          </button>
        )}
      </Entries>
      <p id={hint} hidden>
        The button shows this line alone, or all lines again. Hold Shift to hide or show this line.
      </p>
    </>
  );
}

type EntriesProps = Readonly<{
  series: readonly Coloured[];
  isShown?: (name: string) => boolean;
  children: (name: string, index: number) => ReactNode;
}>;

function Entries({ series, isShown = () => true, children }: EntriesProps) {
  return (
    <ul
      aria-label="Legend"
      className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted max-sm:gap-y-0"
    >
      {series.map(({ name }, index) => (
        <li key={`${index} ${name}`} className="flex min-w-0 items-center gap-1.5">
          <ColourMark colour={colourOf(series, index)} isFaint={!isShown(name)} />
          {children(name, index)}
        </li>
      ))}
    </ul>
  );
}
