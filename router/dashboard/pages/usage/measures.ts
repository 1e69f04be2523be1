/** What the chart of usage can show. Sums are stacked. What cannot be added is drawn as lines. */
import type { UsageSums } from '../../../../shared/api/usage.ts';
import {
  compactCount,
  shownAbout,
  shownAboutSpeed,
  shownMs,
  shownShare,
  shownSpeed,
} from '../../format/count.ts';
import { exactHeight, heightOf, shownHeight } from '../../format/usd.ts';
import type { MEASURES } from '../../search.ts';

export type Measure = (typeof MEASURES)[number];

export type Sum = Readonly<{
  kind: 'sum';
  name: string;
  of: (sums: UsageSums) => number;
  format: (value: number) => string;
  /** Writes the value of a grid line, which is round. */
  line: (value: number) => string;
}>;

export type Figure = Readonly<{
  kind: 'figure';
  name: string;
  /** Null without a value, such as a latency without answers. */
  of: (sums: UsageSums) => number | null;
  format: (value: number) => string;
  /** Writes the value of a grid line, which is exact. */
  line: (value: number) => string;
}>;

export const MEASURED: Readonly<Record<Measure, Sum | Figure>> = {
  cost: {
    kind: 'sum',
    name: 'Cost',
    of: ({ cost }) => heightOf(cost),
    // Heights are floats even for amounts.
    format: shownHeight,
    line: exactHeight,
  },
  requests: { name: 'Requests', of: ({ requests }) => requests, ...counts() },
  tokens: { name: 'Tokens', of: tokensOf, ...counts() },
  errors: { name: 'Failed requests', of: ({ errors }) => errors, ...counts() },
  cached: {
    kind: 'figure',
    name: 'Cached share',
    of: cachedShare,
    format: shownShare,
    line: shownShare,
  },
  ttft: {
    kind: 'figure',
    name: 'Median time to first token',
    of: ({ ttft_ms }) => ttft_ms?.p50 ?? null,
    format: shownAbout,
    line: shownMs,
  },
  duration: {
    kind: 'figure',
    name: 'Median duration',
    of: ({ duration_ms }) => duration_ms?.p50 ?? null,
    format: shownAbout,
    line: shownMs,
  },
  speed: {
    kind: 'figure',
    name: 'Tokens per second',
    of: speedOf,
    format: shownAboutSpeed,
    line: shownSpeed,
  },
};

function counts(): Pick<Sum, 'kind' | 'format' | 'line'> {
  return { kind: 'sum', format: compactCount, line: compactCount };
}

/** Prompt tokens include the cached tokens, and completion tokens include the reasoning tokens. */
export function tokensOf(
  sums: Readonly<{ prompt_tokens: number; completion_tokens: number }>,
): number {
  return sums.prompt_tokens + sums.completion_tokens;
}

/** Completion tokens per second after the first token. A router of an earlier version has none. */
export function speedOf(
  sums: Readonly<Partial<Pick<UsageSums, 'tokens_per_second'>>>,
): number | null {
  return sums.tokens_per_second ?? null;
}

/** The share of prompt tokens that were cached, from 0 to 1; null without prompt tokens. */
export function cachedShare(
  sums: Readonly<{ prompt_tokens: number; cached_tokens: number }>,
): number | null {
  return sums.prompt_tokens === 0 ? null : sums.cached_tokens / sums.prompt_tokens;
}
