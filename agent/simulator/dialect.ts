/**
 * What differs from engine to engine: the endpoints, the shape of errors and chunks, the way counts are told, the
 * names of metrics, how it comes up. One small value for each; what they share is in `wire/` and beside this file.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { GenerateParts } from './generate.ts';
import type { ServedModel } from './models.ts';
import type { Scheduler } from './scheduler.ts';
import type { Chunks, Head } from './wire/chunks.ts';
import type { EngineError } from './wire/errors.ts';
import type { Job } from './wire/job.ts';
import type { MetricsPage } from './wire/metrics-page.ts';
import type { RequestRules } from './wire/rules.ts';
import type { Tell, TellFlags } from './wire/tell.ts';

export const DIALECTS = ['vllm', 'sglang', 'llamacpp'] as const;
export type DialectName = (typeof DIALECTS)[number];

/** Requests that run at once, unless it is told otherwise. */
export const RUNNING_MAX: Readonly<Record<DialectName, number>> = {
  vllm: 1_024,
  sglang: 1_024,
  llamacpp: 4,
};

export type Endpoint = 'chat' | 'text';

export interface RouteParts extends GenerateParts {
  readonly page: MetricsPage;
  /** Whether the engine was started with its page of metrics. */
  readonly metrics: boolean;
  readonly runningMax: number;
  readonly flags: TellFlags;
  /** The process is up and its model is not. */
  readonly loading: boolean;
}

export type Route = (
  parts: RouteParts,
  request: IncomingMessage,
  response: ServerResponse,
) => void | Promise<void>;

/** By method and path, as `GET /health`. */
export type Routes = Readonly<Record<string, Route>>;

/** What an engine says on its standard error while it comes up, and what it answers meanwhile. */
export interface Loading {
  /** The lines at so much of the loading, 0 to 1. */
  lines(share: number, about: LoadingAbout): readonly string[];
  /** From which share on it listens; before, connections are refused. */
  readonly listensFrom: number;
}

export interface LoadingAbout {
  readonly model: string;
  readonly elapsedSeconds: number;
}

export interface Dialect {
  readonly name: DialectName;
  readonly rules: RequestRules;
  /** A name that it does not serve is a 404; otherwise it is taken for the model that is there. */
  readonly knowsModels: boolean;
  /** The context is divided among so many requests. */
  readonly splitsContext: boolean;
  readonly routes: Routes;
  readonly loading: Loading;
  readonly errorBody: (error: EngineError) => string;
  /** The events with which a stream ends that has failed. */
  readonly errorEvents: (error: EngineError) => string;
  /** What the response is called. */
  replyId(
    endpoint: Endpoint,
    given: { header: string | null; requestId: string | null; hex: () => string },
  ): string;
  chunks(endpoint: Endpoint, head: Head, job: Job, hex: () => string): Chunks;
  tell(job: Job, flags: TellFlags): Tell;
  /** How often a silent stream says that it lives; null: never. */
  readonly pingSeconds: number | null;
  page(scheduler: Scheduler, models: ReadonlyMap<string, ServedModel>): MetricsPage;
}
