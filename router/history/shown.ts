/** Merged figures as the management API shows them. */
import type { FleetFigures } from '../../shared/api/fleet-history.ts';
import { BUCKETS, quantilesOf } from '../usage/rollups/histogram.ts';
import {
  ANSWERED,
  CACHED,
  CANCELLED,
  COMPLETION,
  FAILED,
  type Figures,
  GPU_MEMORY,
  GPU_USE,
  GPUS,
  KV_USE,
  LIMITED,
  LISTENED,
  PROMPT,
  QUEUED,
  READY,
  REFUSED,
  RUNNING,
  SERVED,
  SLOTS,
  SPEED,
  SPEED_SCALE,
  TTFT,
  UNAVAILABLE,
  WAITING,
  WORKERS,
} from './figures.ts';

/** The gauges of `figures` are means over time. `seconds`: how long the bucket is. */
export function shownFigures(figures: Figures, seconds: number): FleetFigures {
  const at = (place: number) => figures[place] as number;
  const speed = percentiles(figures, SPEED);
  return {
    answered: at(ANSWERED),
    cancelled: at(CANCELLED),
    refused: at(REFUSED),
    limited: at(LIMITED),
    unavailable: at(UNAVAILABLE),
    failed: at(FAILED),
    prompt_tokens: at(PROMPT),
    cached_tokens: at(CACHED),
    completion_tokens: at(COMPLETION),
    tokens_per_second: rounded(at(COMPLETION) / seconds),
    ttft_ms: ttftOf(figures),
    speed: speed && { p50: speed.p50 / SPEED_SCALE, p95: speed.p95 / SPEED_SCALE },
    // Of a day, thousandths would be minutes of waiting.
    queued: Math.round((1_000_000 * at(QUEUED)) / seconds) / 1_000_000,
    availability: shareOf(at(SERVED), at(LISTENED)),
    workers: at(WORKERS) === 0 ? null : workersOf(at),
  };
}

function workersOf(at: (place: number) => number): NonNullable<FleetFigures['workers']> {
  return {
    connected: rounded(at(WORKERS)),
    ready: rounded(at(READY)),
    slots: rounded(at(SLOTS)),
    running: rounded(at(RUNNING)),
    waiting: rounded(at(WAITING)),
    kv_use: shareOf(at(KV_USE), 1_000 * at(WORKERS)) ?? 0,
    gpus: rounded(at(GPUS)),
    gpu_use: shareOf(at(GPU_USE), 1_000 * at(GPUS)),
    gpu_memory_use: shareOf(at(GPU_MEMORY), 1_000 * at(GPUS)),
  };
}

function ttftOf(figures: Figures): FleetFigures['ttft_ms'] {
  const values = countedQuantiles(figures, TTFT, [0.5, 0.95, 0.99], 1);
  if (values === null) return null;
  const [p50, p95, p99] = values as [number, number, number];
  return { p50, p95, p99 };
}

type Percentiles = Readonly<{ p50: number; p95: number }>;

/** Returns the percentiles of a histogram with at least `countMin` values; null if it has fewer. */
export function percentiles(figures: Figures, from: number, countMin = 1): Percentiles | null {
  const values = countedQuantiles(figures, from, [0.5, 0.95], countMin);
  if (values === null) return null;
  const [p50, p95] = values as [number, number];
  return { p50, p95 };
}

/** Like `percentiles`, for shares of the values, which must ascend. */
export function countedQuantiles(
  figures: Figures,
  from: number,
  shares: readonly number[],
  countMin: number,
): readonly number[] | null {
  let count = 0;
  for (let at = from; at < from + BUCKETS; at++) count += figures[at] as number;
  return count < countMin ? null : quantilesOf(figures, from, shares);
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.min(1, Math.round((10_000 * part) / whole) / 10_000);
}

function rounded(value: number): number {
  return Math.round(1_000 * value) / 1_000;
}
