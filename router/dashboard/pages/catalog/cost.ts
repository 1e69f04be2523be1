/** Calculates what requests would cost. */
import { charge, formatUsd, picoUsd } from '../../../../shared/money.ts';
import { picoOf } from '../../format/usd.ts';
import type { PricedModel } from './order.ts';

/** The tokens of one request, and the number of requests. */
export type Task = Readonly<{
  prompt: number;
  cached: number;
  completion: number;
  requests: number;
}>;

const COUNT_MAX = 1_000_000_000;

/** Reads a whole number, with or without commas between its digits. Null if it is none. */
export function countIn(text: string): number | null {
  const digits = text.replaceAll(/[,\s]/g, '');
  if (!/^\d{1,10}$/.test(digits)) return null;
  const count = Number(digits);
  return count <= COUNT_MAX ? count : null;
}

export type Cost = Readonly<{ one: string; all: string; isTooMuchCached: boolean }>;

export function costOf(price: PricedModel['billed'], task: Task): Cost {
  const isTooMuchCached = task.cached > task.prompt;
  const one = charge(
    {
      prompt: picoUsd(picoOf(price.prompt)),
      completion: picoUsd(picoOf(price.completion)),
      cached: picoUsd(picoOf(price.input_cache_read)),
    },
    { ...task, cached: Math.min(task.cached, task.prompt) },
  );
  return {
    one: formatUsd(one),
    all: formatUsd(picoUsd(one * BigInt(task.requests))),
    isTooMuchCached,
  };
}
