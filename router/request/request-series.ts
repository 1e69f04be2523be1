/** Hot path. The time series of requests that have their labels in common. */
import type { Registry } from 'prom-client';
import {
  DURATION_SECONDS,
  FIRST_TOKEN_SECONDS,
  INTER_TOKEN_SECONDS,
} from '../../shared/metrics/buckets.ts';
import {
  type Count,
  Counters,
  type Distribution,
  Histograms,
} from '../../shared/metrics/series.ts';
import { PICO_PER_USD, type PicoUsd } from '../../shared/money.ts';
import type { Usage } from '../ledger/terms.ts';

const WAITING_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15, 30, 60, 120];

/** Cached prompt tokens of an answer, as predicted on the best worker and on the chosen one. */
export type PredictedTokens = Readonly<{ best: number; chosen: number }>;

export type Families = ReturnType<typeof familiesIn>;

/** `now` returns ms since the epoch, for the time of exemplars. */
export function familiesIn(registry: Registry, now: () => number) {
  return {
    requests: new Counters(registry, {
      name: 'penstock_router_requests_total',
      help: 'Requests by how they ended: the HTTP status and the code of the error; 499: the client left.',
      labels: ['model', 'region', 'streamed', 'status', 'code'],
    }),
    firstToken: new Histograms(registry, {
      name: 'penstock_router_time_to_first_token_seconds',
      help: 'From arrival to the first delta (text, reasoning or tool call) from the worker, of requests that have ended.',
      labels: ['model', 'region', 'streamed'],
      buckets: FIRST_TOKEN_SECONDS,
      now,
    }),
    interToken: new Histograms(registry, {
      name: 'penstock_router_inter_token_seconds',
      help: 'Mean time between the tokens of an answer, one observation an answer.',
      labels: ['model', 'region', 'streamed'],
      buckets: INTER_TOKEN_SECONDS,
      now,
    }),
    duration: new Histograms(registry, {
      name: 'penstock_router_request_duration_seconds',
      help: 'From arrival to the end of answers that are complete.',
      labels: ['model', 'region', 'streamed'],
      buckets: DURATION_SECONDS,
      now,
    }),
    waiting: new Histograms(registry, {
      name: 'penstock_router_waiting_seconds',
      help: 'How long requests waited for a worker with room, if they had to wait.',
      labels: ['model', 'region'],
      buckets: WAITING_SECONDS,
    }),
    tokens: new Counters(registry, {
      name: 'penstock_router_tokens_total',
      help: 'Billed tokens: input (without cached), cached, output.',
      labels: ['model', 'region', 'kind'],
    }),
    charged: new Counters(registry, {
      name: 'penstock_router_charged_usd_total',
      help: 'Charges for answers in USD, rounded to floating-point numbers. The ledger has the exact amounts.',
      labels: ['model', 'region'],
    }),
    promptTokens: new Counters(registry, {
      name: 'penstock_router_prompt_tokens_total',
      help: 'Prompt tokens of complete answers, which penstock_router_cached_tokens_total is a part of.',
      labels: ['model', 'region'],
    }),
    cachedTokens: new Counters(registry, {
      name: 'penstock_router_cached_tokens_total',
      help: 'Cached prompt tokens of complete answers: predicted on the best worker with room, predicted on the chosen worker, and reported by its engine.',
      labels: ['model', 'region', 'source'],
    }),
  };
}

type RegionalLabels = Readonly<{ model: string; region: string }>;
type Labels = RegionalLabels & Readonly<{ streamed: string }>;

/** Of a model in a region, streamed or not. */
export class RequestSeries {
  readonly #families: Families;
  readonly #labels: Labels;
  /** By code. Each code has one status, and only the statuses without a code differ besides. */
  readonly #ends = new Map<string, Count>();
  readonly firstToken: Distribution;
  readonly interToken: Distribution;
  readonly duration: Distribution;

  constructor(families: Families, labels: Labels) {
    this.#families = families;
    this.#labels = labels;
    this.firstToken = families.firstToken.series(labels);
    this.interToken = families.interToken.series(labels);
    this.duration = families.duration.series(labels);
  }

  /** Counts the end of a request. `code` is empty if it has no error. */
  ended(status: number, code: string): void {
    const key = code === '' ? String(status) : code;
    let count = this.#ends.get(key);
    if (!count) {
      const labels = { ...this.#labels, status: String(status), code };
      count = this.#families.requests.series(labels);
      this.#ends.set(key, count);
    }
    count.add();
  }
}

/** Of a model in a region, streamed or not together. */
export class RegionalSeries {
  readonly labels: RegionalLabels;
  readonly waiting: Distribution;
  inFlight = 0;
  readonly #tokens: Readonly<Record<'input' | 'cached' | 'output', Count>>;
  readonly #charged: Count;
  readonly #prompt: Count;
  readonly #cached: Readonly<Record<'best' | 'chosen' | 'reported', Count>>;

  constructor(families: Families, labels: RegionalLabels) {
    this.labels = labels;
    this.waiting = families.waiting.series(labels);
    const tokens = (kind: string) => families.tokens.series({ ...labels, kind });
    const cached = (source: string) => families.cachedTokens.series({ ...labels, source });
    this.#tokens = { input: tokens('input'), cached: tokens('cached'), output: tokens('output') };
    this.#charged = families.charged.series(labels);
    this.#prompt = families.promptTokens.series(labels);
    this.#cached = {
      best: cached('best'),
      chosen: cached('chosen'),
      reported: cached('reported'),
    };
  }

  billed({ promptTokens, cachedTokens, completionTokens }: Usage): void {
    this.#tokens.input.add(promptTokens - cachedTokens);
    this.#tokens.cached.add(cachedTokens);
    this.#tokens.output.add(completionTokens);
  }

  charged(cost: PicoUsd): void {
    this.#charged.add(Number(cost) / Number(PICO_PER_USD));
  }

  cached({ promptTokens, cachedTokens }: Usage, { best, chosen }: PredictedTokens): void {
    this.#prompt.add(promptTokens);
    this.#cached.best.add(best);
    this.#cached.chosen.add(chosen);
    this.#cached.reported.add(cachedTokens);
  }
}
