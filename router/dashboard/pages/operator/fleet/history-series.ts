/** Converts the history of the fleet for its charts: one line for each group. */
import type { FleetFigures, FleetHistory } from '../../../../../shared/api/fleet-history.ts';
import { REGION_NAMES } from '../../../../../shared/region.ts';
import {
  compactCount,
  shownMs,
  shownShare,
  shownSmallShare,
  shownSpeed,
} from '../../../format/count.ts';
import { startsOf } from '../history/history-range.ts';
import { REQUEST_RATE, requestsPerSecond, shownRequestRate } from '../request-rate.ts';

type Group = FleetHistory['groups'][number];

export type Measure = Readonly<{
  title: string;
  /** In place of the title where the figure is one of attempts on hosts. */
  ofAttempts?: string;
  /** Null where there is no value, such as a latency without answers. */
  of: (figures: FleetFigures, seconds: number) => number | null;
  format: (value: number) => string;
  most?: number;
  /** The top of the axis is at least this. */
  least?: number;
  /** Whether only whole values mean anything. */
  whole?: true;
  /** The text that replaces a chart without values. */
  none?: Readonly<Record<'host' | 'fleet', string>>;
  /** What the figure is measured from, where that differs between hosts and the fleet. */
  note?: Readonly<Record<'host' | 'fleet', string>>;
}>;

const MEASURED_FROM = {
  host: 'From when a router sends the request to the host.',
  fleet: 'From when the request arrives, with its time in queues.',
};

const NO_ANSWERS = {
  host: 'This host answered no request in this span.',
  fleet: 'No request was answered in this span.',
};

export const MEASURES: readonly Measure[] = [
  { title: 'Tokens per second', of: (one) => one.tokens_per_second, format: shownSpeed },
  {
    title: 'Tokens per second of one answer, p50',
    of: ({ speed }) => speed?.p50 ?? null,
    format: shownSpeed,
    none: NO_ANSWERS,
  },
  {
    title: REQUEST_RATE,
    of: (one, seconds) => requestsPerSecond(requestsOf(one), seconds),
    format: shownRequestRate,
  },
  ttft('p50'),
  ttft('p95'),
  ttft('p99'),
  {
    title: 'Requests waiting',
    of: ({ queued, workers }) => queued + (workers?.waiting ?? 0),
    format: shownSpeed,
  },
  {
    title: 'Failed requests',
    ofAttempts: 'Failed attempts',
    of: errorsOf,
    format: compactCount,
    whole: true,
    note: {
      host: 'Attempts that failed here. Another host may have answered.',
      fleet: 'Requests that failed on the platform.',
    },
  },
  {
    title: 'Share of failed requests',
    ofAttempts: 'Share of failed attempts',
    of: errorShareOf,
    format: shownSmallShare,
    // Without errors, the axis would otherwise reach to 100%.
    least: 0.01,
    none: {
      host: 'No attempt ended here in this span.',
      fleet: 'No request ended in this span.',
    },
    note: {
      host: 'Of the attempts that ended here, without those that were refused or limited.',
      fleet: 'Of the requests that ended, without those that were refused or limited.',
    },
  },
  {
    title: 'KV cache in use',
    of: ({ workers }) => workers?.kv_use ?? null,
    ...share(),
    none: {
      host: 'This host was not connected in this span.',
      fleet: 'No host was connected in this span.',
    },
  },
  { title: 'Prefix hit rate', of: hitShareOf, ...share(), none: NO_ANSWERS },
  {
    title: 'GPU utilization',
    of: ({ workers }) => workers?.gpu_use ?? null,
    ...share(),
    none: { host: 'This host reports no GPU figures.', fleet: 'No host reports GPU figures.' },
  },
];

function ttft(quantile: 'p50' | 'p95' | 'p99'): Measure {
  return {
    title: `Time to first token, ${quantile}`,
    of: ({ ttft_ms }) => ttft_ms?.[quantile] ?? null,
    format: shownMs,
    note: MEASURED_FROM,
    none: NO_ANSWERS,
  };
}

function share(): Pick<Measure, 'format' | 'most'> {
  return { format: shownShare, most: 1 };
}

/** Failures on the platform's side: of a model, no worker; of a host, no room. */
export function errorsOf({ failed, unavailable }: FleetFigures): number {
  return failed + unavailable;
}

export function requestsOf(one: FleetFigures): number {
  return one.answered + one.cancelled + one.refused + one.limited + errorsOf(one);
}

/**
 * The share of requests that ended with an error of ours, from 0 to 1. As on the page of the
 * platform, those that were refused or limited are left out. Null if there are no others.
 */
export function errorShareOf(one: FleetFigures): number | null {
  const judged = judgedOf(one);
  return judged === 0 ? null : errorsOf(one) / judged;
}

/** All that ended, without those that were refused or limited. */
export function judgedOf(one: FleetFigures): number {
  return one.answered + one.cancelled + errorsOf(one);
}

/** The share of prompt tokens that were cached, from 0 to 1; null without prompt tokens. */
export function hitShareOf({
  prompt_tokens: all,
  cached_tokens: cached,
}: Pick<FleetFigures, 'prompt_tokens' | 'cached_tokens'>): number | null {
  return all === 0 ? null : cached / all;
}

/** The name of a group for people. */
export function groupName({ model, region, agent, agent_name, worker }: Group, by: string | null) {
  if (by === 'worker') return worker ?? '';
  if (by === 'agent') return agent_name ?? agent ?? '';
  if (by === 'model') return model ?? '';
  if (by === 'region') return region === null ? '' : REGION_NAMES[region];
  return 'Whole fleet';
}

type Line = Readonly<{ name: string; values: readonly (number | null)[] }>;

export function linesOf(
  history: FleetHistory,
  { of }: Measure,
  names: readonly string[],
): readonly Line[] {
  const starts = startsOf(history, history.bucket_seconds);
  const end = Date.parse(history.end);
  /** The last bucket may have only begun. */
  const secondsOf = (at: number) => Math.min(history.bucket_seconds, (end - at) / 1_000);
  return history.groups.map(({ points }, index) => {
    const values = new Map(
      points.map((point) => {
        const at = Date.parse(point.at);
        return [at, of(point, secondsOf(at))];
      }),
    );
    const name = names[index] ?? '';
    return { name, values: starts.map((start) => values.get(Date.parse(start)) ?? null) };
  });
}
