/**
 * A line of recent values next to the current figure. Screen readers skip the line and read the
 * figure.
 */
import { SPARK_BOX, sparkLines } from './spark-lines.ts';

type SparklineProps = Readonly<{
  /** The oldest first; null where there is no value. */
  values: readonly (number | null)[];
  /** The number of values that fit; fewer values are drawn at the right. */
  slots: number;
  /** The value at the top of the drawing; by default the highest of `values`, but at least 1. */
  most?: number;
  className?: string;
}>;

export function Sparkline({ values, slots, most, className = 'h-4 w-16' }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  const lines = sparkLines(values, slots, most ?? Math.max(...known, 1));
  return (
    <svg viewBox={SPARK_BOX} preserveAspectRatio="none" className={className} aria-hidden>
      {lines.map((points) => (
        <polyline
          key={points}
          points={points}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      ))}
    </svg>
  );
}
