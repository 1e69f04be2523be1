/**
 * Encodes an engine's counts as members of a chunk, each with the comma before it, or as ''.
 */
import type { Figures } from './figures.ts';

export interface UsageEncoder {
  /** On every chunk that has text. */
  running(figures: Figures): string;
  /** On the chunk that has the finish_reason. */
  ending(figures: Figures): string;
  /** On the separate event after that chunk, and on an answer that is not streamed. */
  last(figures: Figures): string;
}
