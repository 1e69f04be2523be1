/** What streamed answers and whole answers have in common. */
import type { Counts } from '../answer/completion.ts';
import type { Dialect } from '../dialect.ts';
import type { Sabotage } from '../faults/book.ts';
import type { FaultConfig } from '../faults/schema.ts';
import type { Chunks } from './chunks.ts';
import { figuresOf } from './figures.ts';
import type { Job } from './job.ts';
import type { UsageEncoder } from './usage-encoder.ts';

export interface ReplyParts {
  readonly job: Job;
  readonly counts: Counts;
  readonly chunks: Chunks;
  readonly sabotage: Sabotage;
  readonly usageEncoder: UsageEncoder;
  readonly dialect: Pick<Dialect, 'errorBody' | 'errorEvents'>;
  /** Kills the whole engine. */
  readonly die: (faults: FaultConfig) => void;
  /** Ends the answer and its work in the scheduler, because nobody waits for it any more. */
  readonly abandon: () => void;
}

/** Encodes the counts as the engine reports them at this place. Hot path: runs for every chunk. */
export function encodeUsage(
  parts: ReplyParts,
  place: keyof UsageEncoder,
  counts: Counts = parts.counts,
): string {
  const { usageEncoder, sabotage } = parts;
  if (sabotage.due('no_usage', counts.completion)) return '';
  return usageEncoder[place](figuresOf(counts, sabotage.due('wrong_usage', counts.completion)));
}
