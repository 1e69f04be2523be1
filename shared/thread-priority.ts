/** Threads whose work may wait go behind those that work for requests now. */
import { constants, setPriority } from 'node:os';

const PRIORITIES = {
  /** It gets a tenth of what the event loop gets while both want the processor. */
  behind: constants.priority.PRIORITY_BELOW_NORMAL,
  /** It works with what nobody else wants. */
  last: constants.priority.PRIORITY_LOW,
} as const;

/** Of the calling thread: only Linux counts priorities by thread, elsewhere it would be the whole process. */
export function giveWay(to: keyof typeof PRIORITIES): void {
  if (process.platform === 'linux') setPriority(PRIORITIES[to]);
}
