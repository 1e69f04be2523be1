/** The headers that say what the limits of a minute have left, in the format of each API. */
import type { Standing, Standings } from '../ledger/terms.ts';
import type { Api } from './api.ts';

type Headers = Record<string, string>;

/** `now`: wall clock, in ms. Only the Messages API tells instants; the others tell durations. */
export function rateHeaders(standings: Standings, api: Api | null, now: number): Headers {
  const headers: Headers = {};
  for (const measure of ['requests', 'tokens'] as const) {
    const standing = standings[measure];
    if (!standing) continue;
    addOpenAi(headers, measure, standing);
    if (api === 'messages') addAnthropic(headers, measure, standing, now);
  }
  return headers;
}

function addOpenAi(headers: Headers, measure: string, standing: Standing): void {
  headers[`x-ratelimit-limit-${measure}`] = String(standing.limit);
  headers[`x-ratelimit-remaining-${measure}`] = String(standing.remaining);
  headers[`x-ratelimit-reset-${measure}`] = duration(Math.ceil(standing.resetMs));
}

function addAnthropic(headers: Headers, measure: string, standing: Standing, now: number): void {
  const name = `anthropic-ratelimit-${measure}`;
  headers[`${name}-limit`] = String(standing.limit);
  headers[`${name}-remaining`] = String(standing.remaining);
  // In whole seconds, rounded up: at that instant all of it is free.
  const reset = new Date(Math.ceil((now + standing.resetMs) / 1000) * 1000);
  headers[`${name}-reset`] = reset.toISOString().replace('.000Z', 'Z');
}

/** A duration as Go writes it: `0s`, `20ms`, `7.66s`, `1m0.5s`. */
function duration(ms: number): string {
  if (ms > 0 && ms < 1000) return `${ms}ms`;
  const minutes = Math.floor(ms / 60_000);
  const seconds = (ms % 60_000) / 1000;
  return minutes > 0 ? `${minutes}m${seconds}s` : `${seconds}s`;
}
