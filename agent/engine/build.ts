/** An engine as discovery has found it. */
import type { Dialect, MetricNames } from './dialects/dialect.ts';

/** What discovery has found out about an engine. */
export type Build = Readonly<{
  dialect: Dialect;
  version: string | null;
  /** A random id of this start of the engine's process, as far as a restart can be detected. */
  boot: string;
  /** Null when the engine has no metrics page, or it is not enabled. */
  metrics: MetricNames | null;
  /** Capacity of the KV cache in tokens. Null when the engine does not report it. */
  kvTokens: number | null;
  salted: boolean;
  runningUsage: boolean;
  /** Whether the engine reports cached tokens. If it does, a missing count means 0. */
  reportsCached: boolean;
  /** Notes for the operator, besides those that follow from the other fields. */
  notes: readonly string[];
}>;
