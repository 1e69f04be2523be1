/**
 * A disk small enough to be filled: a tmpfs, and a ballast file that takes all the space that is
 * left.
 */
import { execFile, execFileSync } from 'node:child_process';
import { rmdirSync } from 'node:fs';
import { chmod, mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { atExit } from './leftovers.ts';
import { Skipped } from './scene.ts';

const run = promisify(execFile);
const FILL_EVERY_MS = 50;

export class SmallDisk implements AsyncDisposable {
  readonly folder: string;
  readonly #ballast: string;
  readonly #calledOff: () => void;
  #isKept = false;
  #keeping: Promise<void> = Promise.resolve();

  private constructor(folder: string) {
    this.folder = folder;
    this.#ballast = join(folder, 'ballast');
    this.#calledOff = atExit(() => {
      execFileSync('umount', ['--lazy', folder]);
      rmdirSync(folder);
    });
  }

  /** Throws Skipped if this user may not mount anything. */
  static async mount(megabytes: number): Promise<SmallDisk> {
    const folder = await mkdtemp(join(tmpdir(), 'penstock-torture-disk-'));
    try {
      const options = `size=${megabytes}m,mode=0755`;
      await run('mount', ['-t', 'tmpfs', '-o', options, 'penstock-torture', folder]);
    } catch (error) {
      await rmdir(folder);
      throw new Skipped('a small tmpfs cannot be mounted here: that takes root', { cause: error });
    }
    await chmod(folder, 0o755);
    return new SmallDisk(folder);
  }

  async #fill(): Promise<void> {
    const file = await open(this.#ballast, 'a');
    try {
      for (let piece = Buffer.alloc(64 * 1024, 1); piece.length > 0; ) {
        try {
          await file.write(piece);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          piece = piece.subarray(0, Math.floor(piece.length / 2));
        }
      }
    } finally {
      await file.close();
    }
  }

  /** Fills the disk now, and again whenever space is freed, until `empty` is called. */
  async keepFull(): Promise<void> {
    await this.#fill();
    this.#isKept = true;
    this.#keeping = this.#keepFilling();
  }

  async empty(): Promise<void> {
    this.#isKept = false;
    await this.#keeping;
    await rm(this.#ballast, { force: true });
  }

  async #keepFilling(): Promise<void> {
    while (this.#isKept) {
      await this.#fill();
      await pause(FILL_EVERY_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.empty();
    // A lazy unmount: processes that still have files open there keep them until they exit.
    await run('umount', ['--lazy', this.folder]);
    await rmdir(this.folder);
    this.#calledOff();
  }
}
