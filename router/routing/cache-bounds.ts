/** Which entries of the prefix index are in a worker's cache: by their age on the worker's clock. */

/** An entry is in the cache if it is newer than the floor, and not older than the capacity. */
export interface CacheBounds {
  floor: number;
  capacity: number;
}

/** Ages of a prompt's leading chunks on the worker's clock, in runs. Infinity means not there. */
export type Ages = readonly Readonly<{ from: number; age: number }>[];
