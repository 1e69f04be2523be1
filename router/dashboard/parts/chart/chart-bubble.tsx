import { cx } from '../class-names.ts';
import { ColourMark } from './colour-mark.tsx';
import type { Mark } from './series.ts';

const NOTES_MAX = 4;
/** Charts that show the same instant would repeat the events, which would cover their lines. */
const ONLY_UNDER_POINTER = 'hidden gap-1 group-focus-within/chart:grid group-hover/chart:grid';
/**
 * Of charts that show the same instant, only the one under the pointer or with the focus of the
 * keyboard has a bubble. Without a mouse, there is no telling which chart was meant.
 */
const BUBBLE_OF_ONE =
  'pointer-fine:hidden pointer-fine:group-has-focus-visible/chart:block pointer-fine:group-hover/chart:block';
const VALUES_OF_OTHERS =
  'pointer-coarse:hidden pointer-fine:group-has-focus-visible/chart:hidden pointer-fine:group-hover/chart:hidden';
/** More values than these have no room above the lines. */
const VALUES_MAX = 2;

type ChartBubbleProps = Readonly<{
  title: string;
  values: readonly Readonly<{ name: string; value: number; colour: string }>[];
  format: (value: number) => string;
  /** What it says when there is no value. */
  none: string;
  /** The sum of values that are stacked. It is shown if there are several. */
  total?: number;
  /** What happened at that time. */
  notes?: readonly Mark[];
  /** For a small chart. */
  compact?: boolean;
}>;

/** What a chart says of the time that the pointer is at. */
export function ChartBubble({
  title,
  values,
  format,
  none,
  total,
  notes = [],
  compact = false,
}: ChartBubbleProps) {
  return (
    <div className="grid gap-1 rounded-lg border bg-panel px-3 py-2 text-xs shadow-float">
      <p className="font-medium">{title}</p>
      <ul className="grid gap-1">
        {values.map(({ name, value, colour }, index) => (
          <li key={`${index} ${name}`} className="flex items-center gap-2">
            <ColourMark colour={colour} />
            {/* Names often differ only at their end. */}
            <span className={cx('wrap-anywhere text-muted', compact ? 'max-w-36' : 'max-w-80')}>
              {name}
            </span>
            <span className="ml-auto whitespace-nowrap tabular-nums">{format(value)}</span>
          </li>
        ))}
      </ul>
      {total !== undefined && values.length > 1 && (
        <p className="flex items-center gap-2 border-t pt-1 font-medium">
          <span>Total</span>
          <span className="ml-auto tabular-nums">{format(total)}</span>
        </p>
      )}
      {values.length === 0 && <p className="text-muted">{none}</p>}
      {notes.length > 0 && (
        <div className={ONLY_UNDER_POINTER}>
          {notes.slice(0, NOTES_MAX).map(({ at, text }) => (
            <p key={`${at} ${text}`} className="max-w-56 border-t pt-1">
              {text}
            </p>
          ))}
          {notes.length > NOTES_MAX && (
            <p className="text-muted">and {notes.length - NOTES_MAX} more events</p>
          )}
        </div>
      )}
    </div>
  );
}

/**
 * What a chart says that shows the same instant as others of its page. Beside the one under the
 * pointer, a chart shows only its values, above its lines.
 */
export function SharedBubble(props: Omit<ChartBubbleProps, 'compact'>) {
  const { values, format } = props;
  return (
    <>
      <div className={BUBBLE_OF_ONE}>
        <ChartBubble {...props} compact />
      </div>
      {values.length > 0 && values.length <= VALUES_MAX && (
        <p
          data-values
          className={cx(
            'flex h-5 items-center gap-2 rounded border bg-panel px-1.5 text-[11px] whitespace-nowrap tabular-nums',
            VALUES_OF_OTHERS,
          )}
        >
          {values.map(({ name, value, colour }, index) => (
            <span key={`${index} ${name}`} className="flex items-center gap-1">
              {values.length > 1 && <ColourMark colour={colour} />}
              {format(value)}
            </span>
          ))}
        </p>
      )}
    </>
  );
}
