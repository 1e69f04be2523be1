/** The targets for the product's default policy, and whether it reached them. */
import type { Figures } from '../figures.ts';
import { type Contender, RULE, RULE_WITH_EVENTS } from '../plan.ts';
import { find, placesOf, type Report, type Result } from './result.ts';

export type Aim = Readonly<{ what: string; reached: boolean; figure: string; limit: string }>;

/**
 * Limits at 16 workers by trace: the ratio to the oracle's mean TTFT, and the percentage points
 * below its goodput.
 */
const ORACLE_LIMITS: Readonly<Record<string, { ratio: number; points: number }>> = {
  conversation: { ratio: 1.1, points: 1 },
  synthetic: { ratio: 1.2, points: 2 },
};
const ORACLE_WORKERS = 16;
/** The limit with requests spread over several routers, as a ratio to one router's mean TTFT. */
const ROUTERS_RATIO = 1.25;
const COMPARED = ['ttftMeanS', 'ttftP50S', 'ttftP99S'] as const satisfies (keyof Figures)[];

/** The policies that the default policy must outperform. */
export function othersOf({ results }: Report): string[] {
  const policies = new Set(results.map(({ row }) => row.policy));
  return [...policies].filter(isOther);
}

function isOther(policy: Contender): boolean {
  return policy !== RULE && policy !== RULE_WITH_EVENTS && policy !== 'oracle';
}

export function aimsOf({ results }: Report): Aim[] {
  return placesOf(results).flatMap((place) => {
    const here = find(results, place);
    const rule = find(here, { policy: RULE, routers: 1 })[0];
    if (!rule) return [];
    const name = `${place.trace}, ${place.workers} workers`;
    return [
      ...againstOracle(name, rule, here),
      ...againstOthers(name, rule, here),
      ...againstOneRouter(name, rule, here),
    ];
  });
}

function againstOracle(name: string, rule: Result, here: readonly Result[]): Aim[] {
  const limits = ORACLE_LIMITS[rule.row.trace];
  const oracle = find(here, { policy: 'oracle', routers: 1 })[0]?.figures;
  if (!limits || !oracle || rule.row.workers !== ORACLE_WORKERS) return [];
  const ratio = rule.figures.ttftMeanS / oracle.ttftMeanS;
  const points = 100 * (oracle.goodput - rule.figures.goodput);
  return [
    {
      what: `${name}: mean TTFT over the oracle's`,
      reached: ratio <= limits.ratio,
      figure: ratio.toFixed(3),
      limit: `≤ ${limits.ratio.toFixed(2)}`,
    },
    {
      what: `${name}: points of goodput below the oracle's`,
      reached: points <= limits.points,
      figure: points.toFixed(2),
      limit: `≤ ${limits.points}`,
    },
  ];
}

/** The default policy must be below every other policy. The aim names the closest one. */
function againstOthers(name: string, rule: Result, here: readonly Result[]): Aim[] {
  const others = find(here, { routers: 1 }).filter(({ row }) => isOther(row.policy));
  return COMPARED.flatMap((figure) => {
    const ratios = others.map((other) => ({
      ratio: rule.figures[figure] / other.figures[figure],
      policy: other.row.policy,
    }));
    const closest = ratios.toSorted((a, b) => b.ratio - a.ratio)[0];
    if (!closest) return [];
    return {
      what: `${name}: ${LABELS[figure]} over the best of the ${ratios.length} others (${closest.policy})`,
      reached: closest.ratio < 1,
      figure: closest.ratio.toFixed(3),
      limit: '< 1',
    };
  });
}

const LABELS = { ttftMeanS: 'mean TTFT', ttftP50S: 'p50', ttftP99S: 'p99' } as const;

function againstOneRouter(name: string, rule: Result, here: readonly Result[]): Aim[] {
  return find(here, { policy: RULE, talk: 'echo' }).map(({ row, figures }) => {
    const ratio = figures.ttftMeanS / rule.figures.ttftMeanS;
    return {
      what: `${name}: mean TTFT with ${row.routers} routers over that with one`,
      reached: ratio <= ROUTERS_RATIO,
      figure: ratio.toFixed(3),
      limit: `≤ ${ROUTERS_RATIO}`,
    };
  });
}
