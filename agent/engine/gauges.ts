/**
 * Reads a few figures from an engine's metrics page (Prometheus text). The page is large and is
 * read ten times a second, so it is searched for the names instead of being parsed.
 */
import type { MetricNames } from './dialects/dialect.ts';
import type { ProcessFingerprint } from './process-fingerprint.ts';

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

/** The content of one page. */
export type Reading = Readonly<{
  figures: Figures;
  fingerprint: ProcessFingerprint;
  kvTokens: number | null;
  /** Whether the engine counts its prefix cache lookups. */
  countsPrefixes: boolean;
}>;

/** Reads the figures of a page: sums over their label sets, and for `kvUse` the mean. */
export function readPage(page: string, names: MetricNames): Reading {
  const kv = firstSeries(page, names.kvUse);
  const sumOf = (wanted: readonly string[]) => whole(firstSeries(page, wanted).sum);
  const hits = firstSeries(page, names.prefixHitTokens);
  const misses = firstSeries(page, names.prefixMissTokens);
  const countsMisses = hits.count > 0 && misses.count > 0;
  const figures = {
    running: sumOf(names.running),
    waiting: sumOf(names.waiting),
    kvUse: kv.count === 0 ? 0 : Math.min(1, Math.max(0, kv.sum / kv.count)),
    prefixHitTokens: whole(hits.sum),
    prefixQueryTokens: countsMisses ? whole(hits.sum + misses.sum) : sumOf(names.prefixQueryTokens),
  };
  const started = series(page, 'process_start_time_seconds');
  const generated = sumOf(names.generatedTokens);
  return {
    figures,
    fingerprint: {
      startedAt: started.count > 0 ? started.sum : null,
      generated,
      counters: [generated, figures.prefixQueryTokens, figures.prefixHitTokens],
    },
    kvTokens: kvTokensOf(page, names),
    countsPrefixes: countsMisses || names.prefixQueryTokens.length > 0,
  };
}

function kvTokensOf(page: string, { kvTokens, kvLabels }: MetricNames): number | null {
  const reported = whole(firstSeries(page, kvTokens).sum);
  if (reported > 0 || !kvLabels) return reported || null;
  let tokens = 0;
  for (const line of linesOf(page, kvLabels.name)) {
    tokens += labelOf(line, kvLabels.blocks) * labelOf(line, kvLabels.blockTokens);
  }
  return whole(tokens) || null;
}

/**
 * Returns the value of a label that is a whole number, and 0 for any other text: an engine may not
 * know the value yet.
 */
function labelOf(line: string, label: string): number {
  const value = new RegExp(`[{,]${label}="(\\d{1,12})"`).exec(line)?.[1];
  return value === undefined ? 0 : Number(value);
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
  for (const rest of linesOf(page, name)) {
    const value = valueOf(rest);
    if (!Number.isFinite(value)) continue;
    found.sum += value;
    found.count += 1;
  }
  return found;
}

/** Yields the text after the name in each line that begins with the name. */
function* linesOf(page: string, name: string): Generator<string> {
  for (let at = page.indexOf(name); at >= 0; at = page.indexOf(name, at + name.length)) {
    // The match must be at the start of a line and the whole name, which excludes comments and
    // `name_bucket`.
    if (at > 0 && page[at - 1] !== '\n') continue;
    const after = page[at + name.length];
    if (after !== '{' && after !== ' ') continue;
    const lineEnd = page.indexOf('\n', at);
    yield page.slice(at + name.length, lineEnd < 0 ? undefined : lineEnd);
  }
}

/** Returns the value after the labels, whose own values may hold braces and spaces. */
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
