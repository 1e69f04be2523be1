/** The series of a chart, and their colours. */
import type { Zone } from '../../format/time.ts';

export type Series = Readonly<{
  name: string;
  /** The series of everything without a separate series; always grey, and last. */
  other?: boolean;
  /** See `Coloured`. */
  colour?: number;
  /**
   * One for each bucket of the chart. Values set heights only: people read what `format` returns.
   */
  values: readonly number[];
}>;

export type ChartProps = Readonly<{
  /** Describes the chart to screen readers. */
  label: string;
  /** The start of each bucket, as ISO 8601. */
  starts: readonly string[];
  /** The end of the last bucket, as ISO 8601. Needed only if the buckets differ in length. */
  end?: string;
  series: readonly Series[];
  /** Labels a bucket below the chart by its start. */
  tick: (start: string) => string;
  /** The time zone of the labels. */
  zone: Zone;
  /** Writes a value for people. */
  format: (value: number) => string;
  /**
   * Writes the value of a grid line, which is round; by default with `format`. `step`: the distance
   * of the lines.
   */
  line?: (value: number, step: number) => string;
}>;

/** Something that happened while a chart was drawn from: it is a vertical line with a short label. */
export type Mark = Readonly<{
  /** ISO 8601. */
  at: string;
  /** A word or two, such as "Drained". */
  label: string;
  /** The sentence that the chart shows where the pointer is, such as "Drained the host gpu-1". */
  text: string;
  tone: 'neutral' | 'warn' | 'bad';
}>;

/** A chart of lines, which are not added up; null where a line has a gap. */
export type LinesProps = Omit<ChartProps, 'series'> &
  Readonly<{
    series: readonly (Omit<Series, 'values'> & Readonly<{ values: readonly (number | null)[] }>)[];
    /** The value at the top; by default a round one above the highest. */
    most?: number | undefined;
    /** Whether the axis has whole values only. */
    whole?: boolean | undefined;
    /** The highest value of the axis is at least this one. */
    least?: number | undefined;
    /** The grid lines from the lowest to the highest, if they are not from 0 up. */
    heights?: readonly number[] | undefined;
    /** A value that the lines should keep to, which is drawn across the chart. */
    objective?: number | undefined;
    /** Charts with the same name, and with the same starts, show the same instant under the pointer. */
    together?: string | undefined;
    marks?: readonly Mark[] | undefined;
    /** The last bucket is not over yet: the lines lead to its values dashed. */
    isOpen?: boolean | undefined;
  }>;

export const COLOURS = 7;

/** `colour`: which of the colours the series has. Default: that of its place. */
export type Coloured = Readonly<{ name: string; other?: boolean; colour?: number }>;

export function colourOf(series: readonly Coloured[], index: number): string {
  const { other = false, colour = index } = series[index] ?? {};
  return other ? 'var(--series-other)' : `var(--series-${(colour % COLOURS) + 1})`;
}
