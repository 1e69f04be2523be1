/** How a host does against the other hosts of its models, from the history of the fleet. */
import type { FleetFigures, FleetHistory } from '../../../../../shared/api/fleet-history.ts';
import type { WorkerEntry } from '../../../../../shared/api/workers.ts';

/** From here on, a host is called slow. First tokens that differ by less are not. */
const SLOW = 1.25;
const SLOW_MS = 100;

type Figure = 'ttft_ms' | 'speed';

export type Compared = Readonly<{
  /** Medians of the time; null without answers. */
  own: number | null;
  /** The median of those of the peers; null if none has one. */
  others: number | null;
  isSlow: boolean;
}>;

/** The ids of the other hosts whose workers serve a model of this host. */
export function peersOf(agent: string, workers: readonly WorkerEntry[]): ReadonlySet<string> {
  const models = new Set(
    workers.filter((worker) => worker.agent === agent).flatMap((worker) => worker.models),
  );
  return new Set(
    workers
      .filter((worker) => worker.agent !== agent && worker.models.some((one) => models.has(one)))
      .map((worker) => worker.agent),
  );
}

/** `own`: the figures of the host. `history`: of the same time, by host. */
export function comparedWith(
  own: FleetFigures | undefined,
  { groups }: Pick<FleetHistory, 'groups'>,
  peers: ReadonlySet<string>,
  figure: Figure,
): Compared {
  const mine = own?.[figure]?.p50 ?? null;
  const others = medianOf(
    groups.flatMap(({ agent, total }) =>
      agent !== null && peers.has(agent) ? (total[figure]?.p50 ?? []) : [],
    ),
  );
  const isSlow =
    mine !== null &&
    others !== null &&
    (figure === 'speed' ? mine * SLOW < others : mine > Math.max(others * SLOW, others + SLOW_MS));
  return { own: mine, others, isSlow };
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
