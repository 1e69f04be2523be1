/**
 * What Penstock may cost: the CPU time of the router and of the agent, as ratios to the reference in
 * the same run. A ratio fails only above its budget and the margin, because a run differs from the
 * next by noise. `npm run bench:budget -- --calibrate 6` on a quiet machine gives both numbers: the
 * budget is the median ratio of the runs, and the margin is twice the largest distance of a run from
 * that median, and at least 10 %.
 */
import { type Spread, spreadOf } from './figures.ts';
import { tableOf } from './table.ts';

export const LEAST_MARGIN = 0.1;
const MARGIN_DISTANCES = 2;
/** The runs that a calibration takes. */
const CALIBRATED_RUNS = 6;

type Term = Readonly<{ budget: number; margin: number }>;

export const TERMS = {
  'router, a streamed token': { budget: 1.04, margin: 0.14 },
  'agent, a streamed token': { budget: 0.99, margin: 0.1 },
  'router, a short request': { budget: 2.61, margin: 0.44 },
  'agent, a short request': { budget: 1.16, margin: 0.29 },
} as const satisfies Record<string, Term>;

export type TermName = keyof typeof TERMS;
export const TERM_NAMES = Object.keys(TERMS) as TermName[];

/** The ratios of the rounds. */
export type Ratios = ReadonlyMap<TermName, readonly number[]>;

export type Verdict = Readonly<{
  name: TermName;
  ratio: Spread;
  limit: number;
  isOver: boolean;
}>;

export function judge(ratios: Ratios, terms: Readonly<Record<TermName, Term>>): Verdict[] {
  return TERM_NAMES.map((name) => {
    const { budget, margin } = terms[name];
    const ratio = spreadOf(ratios.get(name) ?? []);
    const limit = budget * (1 + margin);
    return { name, ratio, limit, isOver: ratio.median > limit };
  });
}

export function verdictTable(verdicts: readonly Verdict[]): string {
  const rows = verdicts.map(({ name, ratio, limit, isOver }) => [
    name,
    ratio.median.toFixed(2),
    `${ratio.least.toFixed(2)} to ${ratio.most.toFixed(2)}`,
    TERMS[name].budget.toFixed(2),
    limit.toFixed(2),
    isOver ? 'over' : 'kept',
  ]);
  return tableOf(['× node:http', 'ratio', 'rounds', 'budget', 'limit', ''], rows);
}

/** The term that some runs suggest, each run with one ratio. */
export function termOf(ratios: readonly number[]): Term {
  const { median, least, most } = spreadOf(ratios);
  const distance = Math.max(most - median, median - least) / median;
  return { budget: median, margin: Math.max(LEAST_MARGIN, MARGIN_DISTANCES * distance) };
}

export const BUDGET_TEXT = [
  '## The budget',
  '`npm run bench:budget` takes about a minute. It measures the CPU time of the router and of the ' +
    'agent for a streamed token (64 streams) and for a short request, as ratios to a plain proxy of ' +
    '`node:http` that takes turns with Penstock in short rounds. It fails if the median ratio of the ' +
    'rounds is above the budget by more than the margin. The budget is the median ratio of ' +
    `${CALIBRATED_RUNS} runs on a quiet machine. The margin is twice the largest distance of these ` +
    `runs from their median, and at least ${LEAST_MARGIN * 100} %. ` +
    `\`npm run bench:budget -- --calibrate ${CALIBRATED_RUNS}\` measures both again.`,
  tableOf(
    ['× node:http', 'budget', 'margin'],
    TERM_NAMES.map((name) => [
      name,
      TERMS[name].budget.toFixed(2),
      `${(TERMS[name].margin * 100).toFixed(0)} %`,
    ]),
  ),
].join('\n\n');
