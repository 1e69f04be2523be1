/** What `penstock up` tells of itself in a file: its addresses, its processes, and the first keys. */
import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

export class ReadyFile {
  readonly #file: string;
  #last: Promise<void> = Promise.resolve();

  constructor(file: string) {
    this.#file = file;
  }

  /** Written whole, and one after the other: several parts may have started anew at once. */
  write(facts: () => object): Promise<void> {
    this.#last = this.#last.then(() => this.#write(facts()));
    return this.#last;
  }

  /** Removed, once what is being written is there. */
  async remove(): Promise<void> {
    await this.#last;
    await rm(this.#file, { force: true });
  }

  async #write(facts: object): Promise<void> {
    // In a folder of others nobody has put a file or a link there before: the name is not to be guessed.
    const beside = `${this.#file}.${randomBytes(8).toString('hex')}`;
    const text = `${JSON.stringify(facts, null, 2)}\n`;
    await writeFile(beside, text, { mode: 0o600, flag: 'wx' });
    await rename(beside, this.#file);
  }
}
