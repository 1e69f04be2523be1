/**
 * What differs between the simulated engines: the endpoints, the shape of errors and chunks, the
 * way in which counts are reported, the names of metrics, the startup. Each engine is one small
 * value. Shared code is in `wire/` and beside this file.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { Random } from '../../shared/random.ts';
import type { Meter } from './answer/completion.ts';
import type { Engine } from './engine.ts';
import type { FaultBook } from './faults/book.ts';
import type { Journal } from './journal.ts';
import type { Life } from './life.ts';
import type { ServedModel } from './models.ts';
import type { DialectName, SimOptions } from './options.ts';
import type { Scheduler } from './scheduler.ts';
import type { Chunks, Head } from './wire/chunks.ts';
import type { EngineError } from './wire/errors.ts';
import type { Job } from './wire/job.ts';
import type { MetricsPage } from './wire/metrics-page.ts';
import type { RequestRules } from './wire/rules.ts';
import type { UsageEncoder } from './wire/usage-encoder.ts';

export type Endpoint = 'chat' | 'text';

export interface GenerateParts {
  readonly dialect: Dialect;
  readonly models: ReadonlyMap<string, ServedModel>;
  readonly engine: Engine;
  /**
   * The functions that stop running and waiting requests, by the id with which a client stops them.
   */
  readonly live: Map<string, () => void>;
  readonly faults: FaultBook;
  readonly life: Life;
  readonly page: Meter;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly random: Random;
  readonly options: SimOptions;
}

export interface RouteParts extends GenerateParts {
  readonly page: MetricsPage;
  readonly log: Log;
  /** Whether the model is still being loaded. */
  loading: boolean;
}

/** An object that a route returns is sent as JSON. Otherwise the route has sent the response. */
export type Route = (
  parts: RouteParts,
  request: IncomingMessage,
  response: ServerResponse,
) => object | void | Promise<object | void>;

/** Routes by method and path, such as `GET /health`. */
export type Routes = Readonly<Record<string, Route>>;

/** What an engine prints to standard error while it starts, and when it begins to listen. */
export interface Loading {
  /** Returns the lines at a share of the loading, 0 to 1. */
  lines(share: number, about: LoadingAbout): readonly string[];
  /** The share from which the engine listens. Before that, connections are refused. */
  readonly listensFrom: number;
}

export interface LoadingAbout {
  readonly model: string;
  readonly elapsedSeconds: number;
}

export interface Dialect {
  readonly name: DialectName;
  readonly rules: RequestRules;
  /**
   * Whether the name of a model is checked. If so, an unknown name is a 404. Otherwise it means the
   * first model.
   */
  readonly knowsModels: boolean;
  /** Whether a full KV cache ends all running answers. Otherwise the youngest is preempted. */
  readonly cutsWhenFull: boolean;
  readonly routes: Routes;
  readonly loading: Loading;
  readonly errorBody: (error: EngineError) => string;
  /** Returns the events that end a stream that has failed. */
  readonly errorEvents: (error: EngineError) => string;
  /** Returns the id of the response. */
  replyId(
    endpoint: Endpoint,
    given: { header: string | null; requestId: string | null; hex: () => string },
  ): string;
  chunks(endpoint: Endpoint, head: Head, job: Job, hex: () => string): Chunks;
  usageEncoder(job: Job, options: SimOptions): UsageEncoder;
  /** After how many seconds of silence a stream sends a comment. Null: never. */
  readonly pingSeconds: number | null;
  page(scheduler: Scheduler, models: ReadonlyMap<string, ServedModel>): MetricsPage;
}
