/** Bounds of a thread's heap. */
import { setFlagsFromString } from 'node:v8';
import type { ResourceLimits } from 'node:worker_threads';

/**
 * `youngMb`: for new values. A heap keeps most of it once it needed it, whatever is alive.
 * `oldMb`: for all others; a thread that needs more is ended.
 */
export function threadMemory(bounds: Readonly<{ youngMb: number; oldMb: number }>): ResourceLimits {
  // `bin/penstock` bounds the young generation of the main thread by this flag. V8 applies it to
  // each heap that is made, whatever the thread's own bound is.
  setFlagsFromString('--max-semi-space-size=0');
  return { maxYoungGenerationSizeMb: bounds.youngMb, maxOldGenerationSizeMb: bounds.oldMb };
}
