/** Counts, shares and durations as people read them. */

const WHOLE = new Intl.NumberFormat('en-US');
const COMPACT = new Intl.NumberFormat('en-US', {
  notation: 'compact',
  maximumFractionDigits: 1,
  maximumSignificantDigits: 3,
  roundingPriority: 'lessPrecision',
});
const TENTHS = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 1 });

const CHANGE = new Intl.NumberFormat('en-US', {
  style: 'percent',
  maximumFractionDigits: 0,
  signDisplay: 'exceptZero',
});
const POINTS = new Intl.NumberFormat('en-US', {
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

export function shownCount(count: number): string {
  return WHOLE.format(count);
}

/** `(1, 'host')` → `"1 host"`, `(1200, 'host')` → `"1,200 hosts"`. */
export function countOf(count: number, what: string): string {
  return `${WHOLE.format(count)} ${what}${count === 1 ? '' : 's'}`;
}

/** `1234567` → `"1.2M"`, `262144` → `"262K"`; counts below 10,000 are written in full. */
export function compactCount(count: number): string {
  return count < 10_000 ? WHOLE.format(count) : COMPACT.format(count);
}

/** Writes a share from 0 to 1 as a percentage. */
export function shownShare(share: number): string {
  return PERCENT.format(share);
}

/** A share of errors below a tenth of a percent is not shown as none: `"<0.1%"`. */
export function shownSmallShare(share: number | null): string {
  if (share === null) return '–';
  return share > 0 && share < 0.001 ? '<0.1%' : shownShare(share);
}

/** Writes an uptime, which must not look better than it is: `0.99967` → `"99.96%"`. */
export function shownUptime(share: number | null): string {
  if (share === null) return '–';
  return share === 1 ? '100%' : `${(Math.floor(10_000 * share + 1e-6) / 100).toFixed(2)}%`;
}

/**
 * Writes how a value has changed: `"+12%"`, and `"×14"` when it is more than ten times what it was.
 * Null when there is nothing to compare.
 */
export function shownChange(value: number | null, before: number | null): string | null {
  if (value === null || before === null || before === 0) return null;
  const factor = value / before;
  return factor > 10 ? `×${WHOLE.format(Math.round(factor))}` : CHANGE.format(factor - 1);
}

/** Writes how a share from 0 to 1 has changed, in percentage points. */
export function shownPoints(share: number | null, before: number | null): string | null {
  if (share === null || before === null) return null;
  return `${POINTS.format(100 * (share - before))} points`;
}

/** Writes a rate, such as tokens per second, with one decimal below 100 and none above. */
export function shownSpeed(perSecond: number | null): string {
  if (perSecond === null) return '–';
  return TENTHS.format(perSecond < 100 ? perSecond : Math.round(perSecond));
}

/** Medians and percentiles of speeds come from a histogram, so they are shown as approximate. */
export function shownAboutSpeed(perSecond: number | null): string {
  return perSecond === null ? '–' : `~${shownSpeed(perSecond)}`;
}

export function shownMs(ms: number | null): string {
  if (ms === null) return '–';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Percentiles of durations are within 5% of the true value, so they are shown as approximate. */
export function shownAbout(ms: number | null): string {
  return ms === null ? '–' : `~${shownMs(ms)}`;
}

/** Memory, such as "512 MiB" or "1.2 GiB". */
export function shownBytes(bytes: number): string {
  const gib = bytes / 2 ** 30;
  return gib >= 1 ? `${gib.toFixed(gib < 10 ? 1 : 0)} GiB` : `${Math.round(bytes / 2 ** 20)} MiB`;
}

/** The size of a text or a file, such as "12 kB" or "1.2 MB". */
export function shownSize(bytes: number): string {
  if (bytes < 999_500) return `${Math.max(1, Math.round(bytes / 1_000))} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}
