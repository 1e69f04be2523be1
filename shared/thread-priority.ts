/** Lowers the priority of a thread whose work is less urgent than the event loop's. */
import { constants, setPriority } from 'node:os';

const PRIORITIES = {
  /** About a tenth of the event loop's share while both want the processor. */
  'below normal': constants.priority.PRIORITY_BELOW_NORMAL,
  /** Little more than the time in which no other thread wants the processor. */
  lowest: constants.priority.PRIORITY_LOW,
} as const;

/**
 * Sets the priority of the calling thread. Does nothing outside Linux, because there it would set
 * the priority of the whole process.
 */
export function lowerPriority(to: keyof typeof PRIORITIES): void {
  if (process.platform === 'linux') setPriority(PRIORITIES[to]);
}
