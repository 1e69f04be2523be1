/** Narrows and sorts the routers as the address of the list asks. */
import { routerName } from '../../../../../shared/router-names.ts';
import type { Router } from '../../../../../shared/api/routers.ts';
import { searchWords } from '../../../format/search-words.ts';
import type { RoutersSearch } from '../../../operator-search.ts';
import { requestsPerSecond } from '../request-rate.ts';
import { reportedLast, stateOf } from './router-words.ts';

type Sort = NonNullable<RoutersSearch['sort']>;

/** The share of the requests of the last minute that ended with a status of 5xx. Null: no request. */
export function errorShare({ last_minute: last }: Router): number | null {
  return last === undefined || last === null || last.requests === 0
    ? null
    : last.errors / last.requests;
}

/** All requests that ended. Null: the router has not reported them. */
export function ratePerSecond({ last_minute: last }: Router): number | null {
  return last === undefined || last === null ? null : requestsPerSecond(last.requests, 60);
}

/** Completion tokens. Null: the router has not reported them. */
export function tokensPerSecond({ last_minute: last }: Router): number | null {
  const tokens = last?.tokens ?? null;
  return tokens === null ? null : tokens / 60;
}

export type LastMinute = Readonly<{ requests: number; errors: number; tokens: number }>;

/** What those of the routers that report have served in their last minute, all together. */
export function lastMinuteOf(routers: readonly Router[]): LastMinute {
  const own = routers.flatMap((router) =>
    reportedLast(router) === null && router.last_minute ? [router.last_minute] : [],
  );
  return {
    requests: own.reduce((sum, { requests }) => sum + requests, 0),
    errors: own.reduce((sum, { errors }) => sum + errors, 0),
    tokens: own.reduce((sum, { tokens }) => sum + (tokens ?? 0), 0),
  };
}

const FIGURES: Readonly<Record<Exclude<Sort, 'name'>, (router: Router) => number | null>> = {
  started: ({ started }) => Date.parse(started),
  requests: ({ last_minute: last }) => last?.requests ?? null,
  errors: errorShare,
  tokens: tokensPerSecond,
  store: ({ store_ms: ms }) => ms ?? null,
  memory: ({ memory_bytes: bytes }) => bytes ?? null,
};

function byName(a: Router, b: Router): number {
  return routerName(a).localeCompare(routerName(b), 'en', { numeric: true });
}

function textOf(router: Router): string {
  const { id, version, url } = router;
  return [routerName(router), id, version ?? '', url ?? ''].join(' ').toLowerCase();
}

/** Returns the routers that have each word of the search and pass the filters, in the given order. */
export function listedRouters(routers: readonly Router[], asked: RoutersSearch): Router[] {
  const { search = '', state, region, sort = 'started', order = 'desc' } = asked;
  const words = searchWords(search);
  const sign = order === 'asc' ? 1 : -1;
  return routers
    .filter(
      (router) =>
        words.every((word) => textOf(router).includes(word)) &&
        (state === undefined || stateOf(router) === state) &&
        (region === undefined || router.regions.includes(region)),
    )
    .toSorted((a, b) => {
      if (sort === 'name') return sign * byName(a, b);
      const [one, other] = [FIGURES[sort](a), FIGURES[sort](b)];
      // Routers without the figure are the last in either order.
      if (one === null || other === null) return Number(one === null) - Number(other === null);
      return sign * (one - other);
    });
}
