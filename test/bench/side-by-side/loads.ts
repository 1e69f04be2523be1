/** The loads of the comparison, which every gateway gets in the same way. */
import type { Gateway } from './gateway.ts';
import type { Order } from './load-order.ts';

/** Tokens a second of a stream. */
export const RATE = 50;
/** Streams run this long before they are counted, so that their beginnings are not. */
export const UNCOUNTED_SECONDS = 1;

type Load = Readonly<{ kind: Order['kind']; count: number; told: string }>;

export const LOADS = {
  'streams-64': { kind: 'streams', count: 64, told: `64 streams of ${RATE} tokens a second` },
  'streams-256': { kind: 'streams', count: 256, told: `256 streams of ${RATE} tokens a second` },
  short: { kind: 'short', count: 16, told: 'short requests of 16 tokens, 16 connections' },
} as const satisfies Record<string, Load>;

export type LoadName = keyof typeof LOADS;
export const LOAD_NAMES = Object.keys(LOADS) as LoadName[];

const SHORT_TOKENS = 16;

/** The order of a load, counted for some seconds. */
export function orderOf(
  name: LoadName,
  { url, key, model, parts }: Gateway,
  { seconds, groups = {} }: { seconds: number; groups?: Order['groups'] },
): Order {
  const { kind, count } = LOADS[name];
  const uncountedSeconds = kind === 'streams' ? UNCOUNTED_SECONDS : seconds / 10;
  const tokens =
    kind === 'streams' ? Math.round(RATE * (seconds + uncountedSeconds)) : SHORT_TOKENS;
  return {
    kind,
    url,
    key,
    model,
    count,
    tokens,
    seconds,
    uncountedSeconds,
    rate: RATE,
    groups: { ...parts, ...groups },
  };
}
