/**
 * The catalog in force. The file is read again when it changes; a file with a fault is refused loudly and
 * the catalog before it stays in force.
 */
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Catalog, type CatalogModel, readCatalog } from '../../shared/catalog.ts';
import type { Clock, Timer } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import type { PriceVersion } from '../ledger/terms.ts';

/** A model as it is served now: its entry and the price version that new requests are held at. */
export type ServedModel = Readonly<{ entry: CatalogModel; price: PriceVersion }>;

/** Makes the list prices of a catalog durable, and answers them by model id. */
export type FixPrices = (catalog: Catalog) => Promise<ReadonlyMap<string, PriceVersion>>;

/** `loaded`: ms since the epoch; `fault`: why the file as it is now was refused, if it was. */
export type CatalogStatus = Readonly<{ models: number; loaded: number; fault: string | null }>;

/** An editor's save is several events: they are taken together. */
const SETTLE_MS = 100;

export class LiveCatalog implements AsyncDisposable {
  #models: ReadonlyMap<string, ServedModel> = new Map();
  #listing = '';
  /** The file as it was last read, good or bad. */
  #text = '';
  #loaded = 0;
  #fault: string | null = null;
  readonly #file: string;
  readonly #fixPrices: FixPrices;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #changed = new Set<() => void>();
  #stopWatching = () => {};
  #reading: Promise<void> = Promise.resolve();

  private constructor(file: string, fixPrices: FixPrices, clock: Clock, log: Log) {
    this.#file = file;
    this.#fixPrices = fixPrices;
    this.#clock = clock;
    this.#log = log;
  }

  /** Reads the catalog and goes on watching it. Throws when the first reading fails. */
  static async open(
    file: string,
    parts: { fixPrices: FixPrices; clock: Clock; log: Log },
  ): Promise<LiveCatalog> {
    const live = new LiveCatalog(file, parts.fixPrices, parts.clock, parts.log);
    await live.#read();
    live.#watch();
    return live;
  }

  get(id: string): ServedModel | undefined {
    return this.#models.get(id);
  }

  get models(): Iterable<ServedModel> {
    return this.#models.values();
  }

  /** The answer of GET /models, ready to be sent. */
  get listing(): string {
    return this.#listing;
  }

  get status(): CatalogStatus {
    return { models: this.#models.size, loaded: this.#loaded, fault: this.#fault };
  }

  onChange(run: () => void): void {
    this.#changed.add(run);
  }

  async #read(): Promise<void> {
    this.#text = await readFile(this.#file, 'utf8');
    const catalog = await readCatalog(this.#file);
    const prices = await this.#fixPrices(catalog);
    const models = new Map<string, ServedModel>();
    for (const [id, entry] of catalog) {
      const price = prices.get(id);
      if (!price) throw new Error(`no price was fixed for ${id}`);
      models.set(id, { entry, price });
    }
    this.#models = models;
    this.#listing = JSON.stringify({
      object: 'list',
      data: [...catalog.values()].map(publicEntry),
    });
    this.#loaded = this.#clock.now();
    this.#fault = null;
  }

  #watch(): void {
    let timer: Timer | null = null;
    // The folder is watched, not the file: an editor that renames a new file into place ends a file's watch.
    // And any name in it: where the file is a link (a ConfigMap, say), what changes has another one.
    const watcher = watch(dirname(this.#file), { persistent: false }, () => {
      timer?.cancel();
      timer = this.#clock.after(SETTLE_MS, () => {
        this.#reading = this.#reading.then(() => this.#readAgain());
      });
    });
    this.#stopWatching = () => {
      timer?.cancel();
      watcher.close();
    };
  }

  async #readAgain(): Promise<void> {
    try {
      if ((await this.#fileText()) === this.#text) return;
      await this.#read();
    } catch (error) {
      this.#fault = error instanceof Error ? error.message : String(error);
      this.#log.error({ error: String(error) }, 'catalog refused: the one before stays in force');
      return;
    }
    this.#log.info({ models: this.#models.size }, 'catalog read again');
    for (const run of this.#changed) run();
  }

  async #fileText(): Promise<string> {
    try {
      return await readFile(this.#file, 'utf8');
    } catch (error) {
      // It may come back as it was, and is then to be read again.
      this.#text = '';
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopWatching();
    await this.#reading;
  }
}

/** A model as customers see it: how it is told to think is between us and its engines. */
export function publicEntry({
  thinking: _ours,
  ...entry
}: CatalogModel): Omit<CatalogModel, 'thinking'> {
  return entry;
}
