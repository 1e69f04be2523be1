/**
 * Where the stores of unit tests are. In memory, if the machine has room for them: a test needs a
 * database of its own, and on a slow disk its creation takes longer than the test. What is durable is
 * tested on the disk (test/torture).
 */
import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const MEMORY = '/dev/shm';
/** The log of PostgreSQL alone may grow to one GiB. */
const FREE_BYTES_MIN = 4 * 2 ** 30;

export const STORES_FOLDER = hasRoom() ? MEMORY : tmpdir();

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= FREE_BYTES_MIN;
  } catch {
    return false;
  }
}
