/** What the load generator is told to do, and what it answers. */
export type Order = Readonly<{
  kind: 'streams' | 'short';
  url: string;
  key: string;
  model: string;
  /** Streams at a time, or connections that send one short request after another. */
  count: number;
  tokens: number;
  /** Tokens a second of a stream. */
  rate: number;
  /** The time that is counted, and the time before it that is not. */
  seconds: number;
  uncountedSeconds: number;
  /** The processes whose CPU time is read, by the names of their groups. */
  groups: Readonly<Record<string, readonly number[]>>;
}>;

export type Seen = Readonly<{
  seconds: number;
  tokens: number;
  /** The answers that ended in the counted time, all of them whole. */
  answers: number;
  /** CPU time by group. The group `load` is the generator itself. */
  cpuNs: Readonly<Record<string, number>>;
  /** The CPU time of the whole machine that no group used, in cores. */
  othersCores: number;
  /** Streams only: from the request to the first token, and gaps above ten times the nominal one. */
  ttftMs: Readonly<{ p50: number; p99: number }>;
  stalls: number;
}>;
