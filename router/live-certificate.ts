/**
 * The certificate of a listener. Its files are read again when they change. Files with a fault are
 * rejected and logged as an error, and the previous certificate stays in force.
 */
import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { WatchedFiles } from '../shared/watched-files.ts';
import { ConfigError } from './config-error.ts';

/** Paths of PEM files. */
export type TlsFiles = Readonly<{ cert: string; key: string }>;

/**
 * A certificate, with those of its issuers, and its private key, in PEM. `expires`: ms since the
 * epoch.
 */
export type Certificate = Readonly<{ cert: Buffer; key: Buffer; expires: number }>;

export class LiveCertificate implements AsyncDisposable {
  readonly #files: TlsFiles;
  readonly #log: Log;
  readonly #watched: WatchedFiles;
  #current: Certificate;
  #fault = '';
  #onChange: (renewed: Certificate) => void = () => {};

  private constructor(
    files: TlsFiles,
    current: Certificate,
    parts: Readonly<{ clock: Clock; log: Log }>,
  ) {
    this.#files = files;
    this.#current = current;
    this.#log = parts.log;
    const read = () => this.#readAgain();
    this.#watched = new WatchedFiles([files.cert, files.key], { ...parts, read });
  }

  /** Reads the files and starts watching them. Throws ConfigError when they cannot be used. */
  static async open(
    files: TlsFiles,
    parts: Readonly<{ clock: Clock; log: Log }>,
  ): Promise<LiveCertificate> {
    return new LiveCertificate(files, await readCertificate(files), parts);
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
      const read = await readCertificate(this.#files);
      this.#fault = '';
      if (read.cert.equals(this.#current.cert) && read.key.equals(this.#current.key)) return;
      this.#onChange(read);
      this.#current = read;
      const expires = new Date(read.expires);
      this.#log.info({ cert, expires }, 'certificate was read again');
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      // Any change in the folder causes a read.
      if (fault === this.#fault) return;
      this.#fault = fault;
      const message = 'new certificate was rejected, and the previous one stays in force';
      this.#log.error({ cert, err: error }, message);
    }
  }
}

/** Throws ConfigError if the files cannot be used together; its message does not quote them. */
export async function readCertificate({ cert, key }: TlsFiles): Promise<Certificate> {
  try {
    const read = { cert: await readFile(cert), key: await readFile(key) };
    createSecureContext(read);
    return { ...read, expires: new X509Certificate(read.cert).validToDate.getTime() };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
    throw new ConfigError(`listeners: tls: ${cert} and ${key} cannot be used (${code})`);
  }
}
