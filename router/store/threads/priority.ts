/** A thread that works for those who look on goes behind those that work for requests. */
import { constants, setPriority } from 'node:os';

/** Of the calling thread: only Linux counts priorities by thread, elsewhere it would be the whole process. */
export function giveWay(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
}
