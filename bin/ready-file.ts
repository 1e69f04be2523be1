/** The file in which `penstock up` reports its addresses, its processes, and the first keys. */
import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

export class ReadyFile {
  readonly #file: string;
  #last: Promise<void> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  /**
   * Writes the file atomically. Writes happen one after another, because several processes may
   * restart at once.
   */
  write(facts: () => object): Promise<void> {
    this.#last = this.#last.then(() => this.#write(facts()));
    return this.#last;
  }

  /** Removes the file, once pending writes have ended. */
  async remove(): Promise<void> {
    await this.#last;
    await rm(this.#file, { force: true });
  }

  async #write(facts: object): Promise<void> {
    // The random name cannot be guessed, so that in a shared folder nobody can have put a file or a
    // link there.
    const beside = `${this.#file}.${randomBytes(8).toString('hex')}`;
    const text = `${JSON.stringify(facts, null, 2)}\n`;
    await writeFile(beside, text, { mode: 0o600, flag: 'wx' });
    await rename(beside, this.#file);
  }
}
