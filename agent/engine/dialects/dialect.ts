/** What differs between kinds of engines: one small value for each, so that another kind is another file. */
import type { Open } from '../../../shared/wire/messages.ts';

export type Fields = Record<string, unknown>;

/** The names under which an engine's metrics page carries each figure; the first that is there counts. */
export type MetricNames = Readonly<{
  running: readonly string[];
  waiting: readonly string[];
  kvUse: readonly string[];
  prefixHitTokens: readonly string[];
  prefixQueryTokens: readonly string[];
}>;

export type Dialect = Readonly<{
  /** As it stands in the fingerprint and in the load report: lower case, no spaces. */
  name: string;
  /** Whether usage comes with every chunk when asked for. */
  runningUsage: boolean;
  /** Whether it keeps the caches of different salts apart. */
  salted: boolean;
  /** Null: the engine has no metrics page, and the agent's own counts are all there is. */
  metrics: MetricNames | null;
  /** What the engine's body says besides what the client asked for. */
  control(open: Open): Fields;
  /** Where a prompt is counted, or null: such an engine cannot say before its first token. */
  tokenizePath: string | null;
}>;
