/**
 * The certificate of a listener. Its files are read again when they change. Files with a fault are
 * rejected and logged as an error, and the previous certificate stays in force.
 */
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { WatchedFiles } from '../shared/watched-files.ts';
import { type Certificate, readTls, type TlsFiles } from './tls.ts';

type LiveCertificateParts = Readonly<{
  clock: Clock;
  log: Log;
  /** Called when a changed certificate was read: with false if it was rejected. */
  onReload?: (isAccepted: boolean) => void;
}>;

export class LiveCertificate implements AsyncDisposable {
  readonly #files: TlsFiles;
  readonly #log: Log;
  readonly #onReload: (isAccepted: boolean) => void;
  readonly #watched: WatchedFiles;
  #current: Certificate;
  #fault = '';
  #onChange: (renewed: Certificate) => void = () => {};

  private constructor(files: TlsFiles, current: Certificate, parts: LiveCertificateParts) {
    this.#files = files;
    this.#current = current;
    this.#log = parts.log;
    this.#onReload = parts.onReload ?? (() => {});
    const read = () => this.#readAgain();
    this.#watched = new WatchedFiles([files.cert, files.key], { ...parts, read });
  }

  /** Reads the files and starts watching them. Throws ConfigError when they cannot be used. */
  static async open(files: TlsFiles, parts: LiveCertificateParts): Promise<LiveCertificate> {
    return new LiveCertificate(files, await readTls(files), parts);
  }

  get current(): Certificate {
    return this.#current;
  }

  /** Calls `listener` with each certificate that takes the place of the one before. */
  onChange(listener: (renewed: Certificate) => void): void {
    this.#onChange = listener;
  }

  /** Resolves when the files have been read again. Never rejects. */
  async reload(): Promise<void> {
    await this.#watched.readAgain();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watched[Symbol.asyncDispose]();
  }

  async #readAgain(): Promise<void> {
    const { cert } = this.#files;
    try {
      const read = await readTls(this.#files);
      this.#fault = '';
      if (read.cert.equals(this.#current.cert) && read.key.equals(this.#current.key)) return;
      this.#onChange(read);
      this.#current = read;
      this.#onReload(true);
      const expires = new Date(read.expires);
      this.#log.info({ cert, expires }, 'certificate was read again');
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      // Any change in the folder causes a read.
      if (fault === this.#fault) return;
      this.#fault = fault;
      this.#onReload(false);
      const message = 'new certificate was rejected, and the previous one stays in force';
      this.#log.error({ cert, err: error }, message);
    }
  }
}
