/**
 * The catalog in force. The file is read again when it changes. A file with a fault is rejected and
 * logged as an error, and the previous catalog stays in force.
 */
import {
  type Catalog,
  type CatalogModel,
  type CatalogText,
  readCatalogText,
} from '../../shared/catalog.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { WatchedFiles } from '../../shared/watched-files.ts';
import type { PriceVersion } from '../ledger/terms.ts';

/** A model as it is served now: its catalog entry, and the price version that new requests use. */
export type ServedModel = Readonly<{ entry: CatalogModel; price: PriceVersion }>;

/** Makes the list prices of a catalog durable, and returns their versions by model id. */
export type FixPrices = (catalog: Catalog) => Promise<ReadonlyMap<string, PriceVersion>>;

/** `loaded`: ms since the epoch. `fault`: why the present file was rejected; null if it was not. */
export type CatalogStatus = Readonly<{ models: number; loaded: number; fault: string | null }>;

type LiveCatalogParts = Readonly<{
  fixPrices: FixPrices;
  clock: Clock;
  log: Log;
  /** Called when a changed file was read: with false if it was rejected. */
  onReload?: (isAccepted: boolean) => void;
}>;

export class LiveCatalog implements AsyncDisposable {
  #models: ReadonlyMap<string, ServedModel> = new Map();
  #listing = '';
  #listed: ReadonlyMap<string, string> = new Map();
  /** The text of the file when it was last read, valid or not. */
  #text = '';
  #loaded = 0;
  #fault: string | null = null;
  readonly #file: string;
  readonly #fixPrices: FixPrices;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #changed = new Set<() => void>();
  readonly #onReload: (isAccepted: boolean) => void;
  #watched: WatchedFiles | null = null;

  private constructor(file: string, { fixPrices, clock, log, onReload }: LiveCatalogParts) {
    this.#file = file;
    this.#fixPrices = fixPrices;
    this.#clock = clock;
    this.#log = log;
    this.#onReload = onReload ?? (() => {});
  }

  /** Reads the catalog and starts watching the file. Throws when the first read fails. */
  static async open(file: string, parts: LiveCatalogParts): Promise<LiveCatalog> {
    const live = new LiveCatalog(file, parts);
    await live.#use(await readCatalogText(file));
    live.#watched = new WatchedFiles([file], { ...parts, read: () => live.#readAgain() });
    return live;
  }

  get(id: string): ServedModel | undefined {
    return this.#models.get(id);
  }

  get models(): Iterable<ServedModel> {
    return this.#models.values();
  }

  /** The response body of GET /models. */
  get listing(): string {
    return this.#listing;
  }

  /** The response body of GET /models with some models only, in the order of the catalog. */
  listingOf(models: ReadonlySet<string>): string {
    const listed = [...this.#listed].flatMap(([id, json]) => (models.has(id) ? [json] : []));
    return asList(listed);
  }

  /** The response body of GET /models/{id}. */
  listed(id: string): string | undefined {
    return this.#listed.get(id);
  }

  get status(): CatalogStatus {
    return { models: this.#models.size, loaded: this.#loaded, fault: this.#fault };
  }

  onChange(run: () => void): void {
    this.#changed.add(run);
  }

  /** Resolves when the file has been read again, if it has changed. Never rejects. */
  async reload(): Promise<void> {
    await this.#watched?.readAgain();
  }

  async #use({ text, parse }: CatalogText): Promise<void> {
    this.#text = text;
    const catalog = parse();
    const prices = await this.#fixPrices(catalog);
    const models = new Map<string, ServedModel>();
    for (const [id, entry] of catalog) {
      const price = prices.get(id);
      if (!price) throw new Error(`no price was fixed for ${id}`);
      models.set(id, { entry, price });
    }
    this.#models = models;
    const entries = [...catalog.values()].map(modelObject);
    this.#listed = new Map(entries.map((entry) => [entry.id, JSON.stringify(entry)]));
    this.#listing = asList([...this.#listed.values()]);
    this.#loaded = this.#clock.now();
    this.#fault = null;
  }

  async #readAgain(): Promise<void> {
    try {
      const read = await this.#fileText();
      if (read.text === this.#text) return;
      await this.#use(read);
    } catch (error) {
      this.#fault = error instanceof Error ? error.message : String(error);
      this.#onReload(false);
      this.#log.error(
        { err: error },
        'new catalog was rejected, and the previous catalog stays in force',
      );
      return;
    }
    this.#onReload(true);
    this.#log.info({ models: this.#models.size }, 'catalog was read again');
    for (const run of this.#changed) run();
  }

  async #fileText(): Promise<CatalogText> {
    try {
      return await readCatalogText(this.#file);
    } catch (error) {
      // The file may come back with the same text, and must be read again then.
      this.#text = '';
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#watched?.[Symbol.asyncDispose]();
  }
}

/** The catalog entry as customers see it. `thinking` is left out, because it configures engines. */
export function publicEntry({
  thinking: _ours,
  ...entry
}: CatalogModel): Omit<CatalogModel, 'thinking'> {
  return entry;
}

/** A list of the OpenAI API. `objects`: what is in it, as JSON. */
function asList(objects: readonly string[]): string {
  return `{"object":"list","data":[${objects.join(',')}]}`;
}

/** The entry as an object of the OpenAI API: some clients require all members of that. */
function modelObject(model: CatalogModel) {
  const [namespace] = model.id.split('/');
  return { ...publicEntry(model), object: 'model', owned_by: namespace };
}
