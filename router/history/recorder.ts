/**
 * Hot path. Adds what a router observes to the cells of the current minute, in memory: a few
 * additions at the end of a request or an attempt. Agents choose the names of their workers, so the
 * number of series has a bound for each agent and in total.
 */
import type { AgentId } from '../../shared/ids.ts';
import type { Region } from '../../shared/region.ts';
import { BUCKETS, bucketOf } from '../usage/rollups/histogram.ts';
import { cellOf } from './cells.ts';
import {
  ANSWERED,
  bump,
  CACHED,
  CANCELLED,
  COMPLETION,
  FAILED,
  type Figures,
  noFigures,
  outcomeOf,
  PROMPT,
  SPEED,
  SPEED_SCALE,
  TTFT,
  UNAVAILABLE,
} from './figures.ts';
import { type Series, seriesOf } from './series.ts';

/** The most series in memory: of models and regions, of workers, and of the workers of one agent. */
export const SERIES_MAX = { models: 1_024, workers: 2_048, workersOfAgent: 64 } as const;

/** The part of a usage row that the history adds up. */
type Billed = Readonly<{
  model: string;
  agent: AgentId | null;
  worker: string | null;
  promptTokens: number;
  cachedTokens: number;
  completionTokens: number;
}>;
type WorkerName = Readonly<{ agent: AgentId; name: string; region: Region }>;

/** The cell that a series adds to. */
export class OpenCell {
  readonly series: Series;
  readonly figures: Figures = noFigures();
  /** Whether anything was added since the last batch. */
  isUsed = true;

  constructor(series: Series) {
    this.series = series;
  }

  add(at: number, by: number): void {
    this.isUsed = true;
    bump(this.figures, at, by);
  }

  addTime(ms: number): void {
    this.add(TTFT + bucketOf(ms), 1);
  }

  addSpeed(tokensPerSecond: number): void {
    this.add(SPEED + bucketOf(SPEED_SCALE * tokensPerSecond), 1);
  }

  addTokens({ promptTokens, cachedTokens, completionTokens }: Billed): void {
    this.add(PROMPT, promptTokens);
    this.add(CACHED, cachedTokens);
    this.add(COMPLETION, completionTokens);
  }
}

/** A cell of the minute that has ended. */
export type RecordedCell = Readonly<{ series: Series; cell: Uint8Array }>;

const WORKER_OUTCOMES = {
  finished: ANSWERED,
  stopped: CANCELLED,
  refused: UNAVAILABLE,
  failed: FAILED,
} as const;

export class HistoryRecorder {
  /** By region, and then by model; empty: all models. */
  readonly #models = new Map<Region, Map<string, OpenCell>>();
  #modelCells = 0;
  /** By agent, and then by the worker's name. */
  readonly #workers = new Map<string, Map<string, OpenCell>>();
  #workerCells = 0;

  /**
   * The requests that have ended on this router, those of them with a status of 5xx, the completion
   * tokens that were charged, and the times to first tokens, also how many were in each bucket.
   */
  readonly totals = {
    requests: 0,
    errors: 0,
    tokens: 0,
    firstTokens: 0,
    firstTokenMs: 0,
    firstTokenTimes: new Float64Array(BUCKETS),
  };

  /** A request has ended. `model` is null if it was refused before that was known. */
  ended(region: Region, model: string | null, status: number): void {
    this.totals.requests += 1;
    if (status >= 500) this.totals.errors += 1;
    const outcome = outcomeOf(status);
    this.region(region)?.add(outcome, 1);
    if (model !== null) this.model(region, model)?.add(outcome, 1);
  }

  /** A request has got its first token after `ms`. */
  firstToken(region: Region, model: string, ms: number): void {
    this.totals.firstTokens += 1;
    this.totals.firstTokenMs += ms;
    bump(this.totals.firstTokenTimes, bucketOf(ms), 1);
    this.region(region)?.addTime(ms);
    this.model(region, model)?.addTime(ms);
  }

  /** A request was charged. */
  billed(region: Region, request: Billed): void {
    this.totals.tokens += request.completionTokens;
    this.region(region)?.addTokens(request);
    this.model(region, request.model)?.addTokens(request);
    this.#workerOf(request)?.addTokens(request);
  }

  /** An answer was generated at this speed. */
  generated(region: Region, request: Billed, tokensPerSecond: number): void {
    this.region(region)?.addSpeed(tokensPerSecond);
    this.model(region, request.model)?.addSpeed(tokensPerSecond);
    this.#workerOf(request)?.addSpeed(tokensPerSecond);
  }

  /** An attempt has ended on a worker. `ttftMs`: from its dispatch; null without a token. */
  attempted(
    worker: WorkerName,
    outcome: keyof typeof WORKER_OUTCOMES,
    ttftMs: number | null,
  ): void {
    const cell = this.worker(worker);
    if (cell === null) return;
    cell.add(WORKER_OUTCOMES[outcome], 1);
    if (ttftMs !== null) cell.addTime(ttftMs);
  }

  region(region: Region): OpenCell | null {
    return this.model(region, '');
  }

  model(region: Region, model: string): OpenCell | null {
    let cells = this.#models.get(region);
    if (!cells) this.#models.set(region, (cells = new Map()));
    const known = cells.get(model);
    if (known) return known;
    if (this.#modelCells >= SERIES_MAX.models) return null;
    const cell = new OpenCell(seriesOf({ region, model, agent: '', worker: '' }));
    cells.set(model, cell);
    this.#modelCells += 1;
    return cell;
  }

  /** An attempt on the worker has ended before, so its series is known, unless there are too many. */
  #workerOf({ agent, worker }: Billed): OpenCell | null {
    return agent === null || worker === null ? null : this.#knownWorker(agent, worker);
  }

  #knownWorker(agent: AgentId, name: string): OpenCell | null {
    return this.#workers.get(agent)?.get(name) ?? null;
  }

  worker({ agent, name, region }: WorkerName): OpenCell | null {
    const known = this.#knownWorker(agent, name);
    if (known) return known;
    let cells = this.#workers.get(agent);
    const isFull = (cells?.size ?? 0) >= SERIES_MAX.workersOfAgent;
    if (isFull || this.#workerCells >= SERIES_MAX.workers) return null;
    if (!cells) this.#workers.set(agent, (cells = new Map()));
    const cell = new OpenCell(seriesOf({ region, model: '', agent, worker: name }));
    cells.set(name, cell);
    this.#workerCells += 1;
    return cell;
  }

  /** Returns the cells that were added to, and begins new ones. Forgets series that are not used. */
  take(): RecordedCell[] {
    const taken: RecordedCell[] = [];
    this.#modelCells = takeAll(this.#models, taken);
    this.#workerCells = takeAll(this.#workers, taken);
    return taken;
  }
}

/** Returns how many series are left. */
function takeAll<Key>(all: Map<Key, Map<string, OpenCell>>, taken: RecordedCell[]): number {
  let left = 0;
  for (const [key, cells] of all) {
    for (const [name, cell] of cells) {
      if (cell.isUsed) {
        taken.push({ series: cell.series, cell: cellOf(cell.figures) });
        cell.figures.fill(0);
        cell.isUsed = false;
      } else {
        cells.delete(name);
      }
    }
    left += cells.size;
    if (cells.size === 0) all.delete(key);
  }
  return left;
}
