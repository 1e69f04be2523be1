/**
 * A line of recent values next to the current figure. Screen readers skip the line and read the
 * figure.
 */
type SparklineProps = Readonly<{
  /** The oldest first; null where there is no value. */
  values: readonly (number | null)[];
  /** The number of values that fit; fewer values are drawn at the right. */
  slots: number;
  /** The value at the top of the drawing; by default the highest of `values`, but at least 1. */
  most?: number;
  className?: string;
}>;

const WIDTH = 60;
const HEIGHT = 16;

export function Sparkline({ values, slots, most, className = 'h-4 w-16' }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  const top = most ?? Math.max(...known, 1);
  const first = slots - values.length;
  const points = values.flatMap((value, index) => {
    if (value === null) return [];
    const x = ((first + index) / Math.max(1, slots - 1)) * WIDTH;
    const y = HEIGHT - 1 - (Math.min(value, top) / top) * (HEIGHT - 2);
    return [`${x.toFixed(1)},${y.toFixed(1)}`];
  });
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      className={className}
      aria-hidden
    >
      {points.length > 1 && (
        <polyline
          points={points.join(' ')}
          fill="none"
          stroke="var(--accent)"
          strokeWidth="1.5"
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      )}
    </svg>
  );
}
