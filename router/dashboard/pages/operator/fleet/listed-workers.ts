/** Searches, filters and sorts the workers that are connected, of which the page has all. */
import type { WorkerRow } from '../../../api/readings.ts';
import { shownCount } from '../../../format/count.ts';
import { searchWords } from '../../../format/search-words.ts';
import type { FleetSearch, WorkerSort } from '../../../operator-search.ts';
import { drainsInWords } from './drain-progress.ts';
import { failedShare, isFailing, type LastHour } from './failed-attempts.ts';
import { usualModels } from './unready-workers.ts';

type Narrowed = Pick<FleetSearch, 'search' | 'standing' | 'model' | 'region'>;
type Sorted = Readonly<{ sort: WorkerSort; order: 'asc' | 'desc' }>;

/** Those that need attention, then those that fail, the worst first, and then the others. */
export const USUAL_ORDER = { sort: 'attention', order: 'asc' } as const satisfies Sorted;

/**
 * Returns the workers that have each word of the search and pass the filters, in the given order, and
 * otherwise by name. `hour`: what their attempts of the last hour came to.
 */
export function listedWorkers(
  rows: readonly WorkerRow[],
  { search = '', standing, model, region }: Narrowed,
  sorted: Sorted,
  { workers: attempts }: Pick<LastHour, 'workers'>,
): readonly WorkerRow[] {
  const words = searchWords(search);
  const found = rows.filter(
    (row) =>
      (standing === undefined || STANDINGS[standing](row)) &&
      (model === undefined || usualModels(row.worker).includes(model)) &&
      (region === undefined || row.worker.region === region) &&
      words.every((word) => textOf(row).includes(word)),
  );
  const sign = sorted.order === 'asc' ? 1 : -1;
  const shareOf = ({ worker }: WorkerRow) => failedShare(attempts.get(worker.id));
  const worst = (row: WorkerRow) => (isFailing(attempts.get(row.worker.id)) ? shareOf(row) : 0);
  const compare: Readonly<Record<WorkerSort, (a: WorkerRow, b: WorkerRow) => number>> = {
    ...BY,
    attention: (a, b) => Number(isTroubled(b)) - Number(isTroubled(a)) || worst(b) - worst(a),
    failed: (a, b) => shareOf(a) - shareOf(b),
  };
  return found.toSorted((a, b) => sign * compare[sorted.sort](a, b) || byName(a, b));
}

const STANDINGS: Readonly<
  Record<NonNullable<FleetSearch['standing']>, (row: WorkerRow) => boolean>
> = {
  ready: ({ state }) => state === 'ready',
  draining: ({ state }) => state === 'draining',
  troubled: isTroubled,
};

/** A worker that gets fewer requests than it could, or that has alarms or notes of its agent. */
export function isTroubled({ state, worker }: WorkerRow): boolean {
  const isWell = state === 'ready' || state === 'draining';
  return !isWell || worker.share < 1 || worker.alarms.length > 0 || worker.notes.length > 0;
}

/** "2 workers need attention"; null if none does. */
export function troubledInWords(rows: readonly WorkerRow[]): string | null {
  const troubled = rows.filter(isTroubled).length;
  if (troubled === 0) return null;
  return `${shownCount(troubled)} ${troubled === 1 ? 'worker needs' : 'workers need'} attention`;
}

/** "1 needs attention", of the workers that are ready all the same; null if none does. */
export function readyInTroubleInWords(rows: readonly WorkerRow[]): string | null {
  const troubled = rows.filter((row) => row.state === 'ready' && isTroubled(row)).length;
  return troubled === 0 ? null : needsAttention(troubled);
}

function needsAttention(workers: number): string {
  return `${shownCount(workers)} ${workers === 1 ? 'needs' : 'need'} attention`;
}

/** "23 ready, 1 drained, 2 need attention": a worker that needs attention may also be ready. */
export function workersInWords(rows: readonly WorkerRow[]): string {
  const of = (standing: keyof typeof STANDINGS) => rows.filter(STANDINGS[standing]).length;
  const troubled = of('troubled');
  return [
    `${shownCount(of('ready'))} ready`,
    drainsInWords(rows.map(({ worker }) => worker)),
    troubled > 0 ? needsAttention(troubled) : null,
  ]
    .filter((part) => part !== null)
    .join(', ');
}

function textOf({ worker }: WorkerRow): string {
  const { agent_name: host, name, engine } = worker;
  return [`${host}/${name}`, engine, ...usualModels(worker)].join(' ').toLowerCase();
}

function byName({ worker: a }: WorkerRow, { worker: b }: WorkerRow): number {
  return `${a.agent_name}/${a.name}`.localeCompare(`${b.agent_name}/${b.name}`, 'en', {
    numeric: true,
  });
}

const BY = {
  name: byName,
  requests: (a, b) => requestsOf(a) - requestsOf(b),
  kv_use: (a, b) => a.worker.kv_use - b.worker.kv_use,
  tokens: (a, b) => (a.tokensPerSecond ?? 0) - (b.tokensPerSecond ?? 0),
} satisfies Partial<Record<WorkerSort, (a: WorkerRow, b: WorkerRow) => number>>;

function requestsOf({ worker: { running, waiting } }: WorkerRow): number {
  return running + waiting;
}
