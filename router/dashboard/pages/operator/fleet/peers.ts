/** How a host does against the other hosts of its models, from the history of the fleet. */
import type { FleetFigures, FleetHistory } from '../../../../../shared/api/fleet-history.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';
import { shownChange, shownCount } from '../../../format/count.ts';

/** From here on, a host is called slower than its peers. First tokens that differ by less are not. */
const SLOW = 1.25;
const SLOW_MS = 100;

type Figure = 'ttft_ms' | 'speed';

export type Compared = Readonly<{
  /** Medians of the time; null without answers. */
  own: number | null;
  /** The median of those of the peers; null if none has one. */
  others: number | null;
  /** How many peers have one. */
  counted: number;
  isSlow: boolean;
}>;

/** The ids of the other hosts whose workers serve a model of this host. Null if it serves none. */
export function peersOf(
  agent: string,
  workers: readonly WorkerEntry[],
): ReadonlySet<string> | null {
  const models = new Set(
    workers.filter((worker) => worker.agent === agent).flatMap((worker) => worker.models),
  );
  if (models.size === 0) return null;
  return new Set(
    workers
      .filter((worker) => worker.agent !== agent && worker.models.some((one) => models.has(one)))
      .map((worker) => worker.agent),
  );
}

/** `own`: the figures of the host. `groups`: those of all hosts in the same time. */
export function comparedWith(
  own: FleetFigures | undefined,
  groups: FleetHistory['groups'],
  peers: ReadonlySet<string>,
  figure: Figure,
): Compared {
  const mine = own?.[figure]?.p50 ?? null;
  const theirs = groups.flatMap(({ agent, total }) =>
    agent !== null && peers.has(agent) ? (total[figure]?.p50 ?? []) : [],
  );
  const others = medianOf(theirs);
  const isSlow =
    mine !== null &&
    others !== null &&
    (figure === 'speed' ? mine * SLOW < others : mine > Math.max(others * SLOW, others + SLOW_MS));
  return { own: mine, others, counted: theirs.length, isSlow };
}

/**
 * What the figure of a host is compared with. `peers`: null if the host serves no model. `format`
 * writes the figure.
 */
export function comparisonInWords(
  { own, others, counted }: Compared,
  peers: ReadonlySet<string> | null,
  format: (value: number | null) => string,
): string {
  if (peers === null) return 'It serves no model now';
  if (peers.size === 0) return 'No other host serves its models';
  if (counted === 0) return 'No other host of its models has a figure';
  const which =
    counted === 1 ? 'Another host of its models' : `Median of ${shownCount(counted)} peers`;
  const change = shownChange(own, others);
  const by = change === null || change === '0%' ? '' : ` (${change})`;
  return `${which}: ${format(others)}${by}`;
}

/** Of an even count, the mean of the two in the middle. */
function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(
    Math.floor((sorted.length - 1) / 2),
    Math.floor(sorted.length / 2) + 1,
  );
  if (middle.length === 0) return null;
  return middle.reduce((sum, value) => sum + value, 0) / middle.length;
}
