/** What is measured, and the medians, spreads and ratios of the rounds. */
import type { LoadName } from './loads.ts';

type FigureKind = Readonly<{
  title: string;
  unit: string;
  digits: number;
  /** Null where every load counts. */
  load: LoadName | null;
  /** What one should know to read it. */
  note: string;
}>;

const CPU_NOTE = 'CPU time over all threads, divided by the tokens that the clients received.';

export const FIGURES = {
  token64: {
    title: 'CPU of a streamed token, 64 streams',
    unit: 'µs',
    digits: 1,
    load: 'streams-64',
    note: CPU_NOTE,
  },
  token256: {
    title: 'CPU of a streamed token, 256 streams',
    unit: 'µs',
    digits: 1,
    load: 'streams-256',
    note: `${CPU_NOTE} With more streams, more tokens share a system call.`,
  },
  request: {
    title: 'CPU of a short request',
    unit: 'µs',
    digits: 0,
    load: 'short',
    note: 'CPU time over all threads, divided by the answers that the clients received.',
  },
  requestRate: {
    title: 'Short requests a second',
    unit: '1/s',
    digits: 0,
    load: 'short',
    note:
      'The engine and the load generator run on the same cores and are Node programs, so they are ' +
      'what limits a gateway that costs less than they do.',
  },
  ttftP50: {
    title: 'Time to first token that is added, p50',
    unit: 'ms',
    digits: 1,
    load: 'streams-256',
    note:
      '256 streams begin within half a second. The 20 ms after which the engine sends its first ' +
      "token are subtracted. The rest includes the engine's timer, which is up to 2 ms late, and " +
      'the connections, which are new.',
  },
  ttftP99: {
    title: 'Time to first token that is added, p99',
    unit: 'ms',
    digits: 1,
    load: 'streams-256',
    note: 'As above.',
  },
  stalls: {
    title: 'Stalls',
    unit: '',
    digits: 0,
    load: 'streams-256',
    note: 'Gaps between the tokens of a stream of more than 200 ms, which is ten times the nominal gap.',
  },
  memoryRest: {
    title: 'Memory at rest',
    unit: 'MB',
    digits: 0,
    load: null,
    note: 'Proportional set size (PSS) after the first answer, before the warm-up.',
  },
  memoryLoad: {
    title: 'Memory after load',
    unit: 'MB',
    digits: 0,
    load: null,
    note: 'Proportional set size (PSS) after the warm-up and all loads of a round.',
  },
} as const satisfies Record<string, FigureKind>;

export type FigureName = keyof typeof FIGURES;
export const FIGURE_NAMES = Object.keys(FIGURES) as FigureName[];

/** One figure of one gateway, or of a part of it, in one round. */
export type Sample = Readonly<{ round: number; row: string; figure: FigureName; value: number }>;

export type Spread = Readonly<{ median: number; least: number; most: number }>;
export type Summary = Readonly<{
  row: string;
  figure: FigureName;
  value: Spread;
  /** To the base in the same round; null where the base measured nothing or zero. */
  ratio: Spread | null;
}>;

/** The summaries of every row and figure, in the order of the samples. */
export function summariesOf(samples: readonly Sample[], base: string): Summary[] {
  const groups = Map.groupBy(samples, ({ row, figure }) => `${figure} ${row}`);
  return [...groups.values()].map((group) => {
    const { row, figure } = group[0] as Sample;
    const ratios = group.flatMap(({ round, value }) => {
      const to = samples.find(
        (other) => other.round === round && other.row === base && other.figure === figure,
      );
      return to === undefined || to.value === 0 ? [] : [value / to.value];
    });
    const value = spreadOf(group.map((sample) => sample.value));
    return { row, figure, value, ratio: ratios.length === 0 ? null : spreadOf(ratios) };
  });
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low = 0, high = 0] = [sorted[Math.floor(middle)], sorted[Math.ceil(middle)]];
  return { median: (low + high) / 2, least: sorted[0] ?? 0, most: sorted.at(-1) ?? 0 };
}
