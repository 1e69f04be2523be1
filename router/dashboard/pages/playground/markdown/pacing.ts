/**
 * Runs work that may wait, such as drawing and highlighting, a few milliseconds for each frame, so
 * that no amount of it blocks the page.
 */
import { monotonic } from '../../../clock.ts';

const FRAME_MS_MAX = 8;

/** The jobs that wait, by what they draw; the one that has waited longest comes first. */
const waiting = new Map<object, () => void>();
let frame: number | null = null;

/** Runs `job` in one of the next frames, in place of a job of the same `owner` that waits. */
export function soon(owner: object, job: () => void): void {
  waiting.set(owner, job);
  frame ??= requestAnimationFrame(run);
}

export function forget(owner: object): void {
  waiting.delete(owner);
}

function run(): void {
  frame = null;
  const begun = monotonic();
  // Jobs that are added meanwhile, perhaps by these jobs, come last.
  for (const [owner, job] of waiting) {
    if (monotonic() - begun >= FRAME_MS_MAX) break;
    waiting.delete(owner);
    job();
  }
  if (waiting.size > 0) frame ??= requestAnimationFrame(run);
}
