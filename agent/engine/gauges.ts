/**
 * Reads a few figures from an engine's metrics page (Prometheus text). The page is large and asked for ten
 * times a second, so it is searched for the names and not parsed.
 */
import type { MetricNames } from './dialects/dialect.ts';

export type Figures = Readonly<{
  running: number;
  waiting: number;
  /** 0 to 1. */
  kvUse: number;
  prefixHitTokens: number;
  prefixQueryTokens: number;
}>;

export const NO_FIGURES: Figures = {
  running: 0,
  waiting: 0,
  kvUse: 0,
  prefixHitTokens: 0,
  prefixQueryTokens: 0,
};

type Series = { sum: number; count: number };

/** The figures of a page, each summed over its label sets; a share of the cache is their mean. */
export function readFigures(page: string, names: MetricNames): Figures {
  const kv = firstSeries(page, names.kvUse);
  return {
    running: whole(firstSeries(page, names.running).sum),
    waiting: whole(firstSeries(page, names.waiting).sum),
    kvUse: kv.count === 0 ? 0 : Math.min(1, Math.max(0, kv.sum / kv.count)),
    prefixHitTokens: whole(firstSeries(page, names.prefixHitTokens).sum),
    prefixQueryTokens: whole(firstSeries(page, names.prefixQueryTokens).sum),
  };
}

function firstSeries(page: string, names: readonly string[]): Series {
  for (const name of names) {
    const found = series(page, name);
    if (found.count > 0) return found;
  }
  return { sum: 0, count: 0 };
}

function series(page: string, name: string): Series {
  const found = { sum: 0, count: 0 };
  for (let at = page.indexOf(name); at >= 0; at = page.indexOf(name, at + name.length)) {
    // At the start of a line, and the whole name: not a comment, not `name_bucket`.
    if (at > 0 && page[at - 1] !== '\n') continue;
    const after = page[at + name.length];
    if (after !== '{' && after !== ' ') continue;
    const lineEnd = page.indexOf('\n', at);
    const value = valueOf(page.slice(at + name.length, lineEnd < 0 ? undefined : lineEnd));
    if (!Number.isFinite(value)) continue;
    found.sum += value;
    found.count += 1;
  }
  return found;
}

/** The value after the labels; a timestamp may follow it. A label's value may hold braces and spaces. */
function valueOf(rest: string): number {
  const [value] = rest
    .slice(rest.lastIndexOf('}') + 1)
    .trim()
    .split(/\s+/, 1);
  return value ? Number(value) : Number.NaN;
}

function whole(value: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.round(value)));
}
