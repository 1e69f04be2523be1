/** The public URLs of the installation: the dashboard's, and each region's base URL. */
import { REGIONS, type Region } from '../../shared/region.ts';

export type PublicUrlsConfig = Readonly<{
  /** The dashboard's public URL, when a proxy is in front of the router. */
  url?: string | undefined;
  baseUrls: Readonly<Partial<Record<Region, string | undefined>>>;
  listeners: readonly Readonly<{ region: Region; tls?: object | undefined }>[];
}>;

export class PublicUrls {
  readonly #config: PublicUrlsConfig;
  #origins: readonly Readonly<{ region: Region; origin: string }>[] = [];

  constructor(config: PublicUrlsConfig) {
    this.#config = config;
  }

  /** Sets the router's own listeners as its addresses, used where the configuration names none. */
  listensAt(origins: readonly Readonly<{ region: Region; origin: string }>[]): void {
    this.#origins = origins;
  }

  /** Whether the dashboard is served over TLS. */
  get secure(): boolean {
    const { url, listeners } = this.#config;
    if (url !== undefined) return new URL(url).protocol === 'https:';
    return listeners[0]?.tls !== undefined;
  }

  /** The dashboard's origin; '' when it is not known. */
  get dashboard(): string {
    const { url } = this.#config;
    return url === undefined ? (this.#origins[0]?.origin ?? '') : new URL(url).origin;
  }

  /**
   * The base URL for organizations of a region, ending in `/v1`; null when this router does not
   * know it.
   */
  baseUrl(region: Region): string | null {
    const told = this.#config.baseUrls[region];
    if (told !== undefined) return told;
    const own = this.#origins.find((one) => one.region === region);
    return own ? `${own.origin}/v1` : null;
  }

  /**
   * The regions whose base URL this router knows: its own listeners' and those that its
   * configuration names, which other routers may serve.
   */
  get regions(): readonly Region[] {
    return REGIONS.filter((region) => this.baseUrl(region) !== null);
  }

  get baseUrls(): Readonly<Record<Region, string | null>> {
    return Object.fromEntries(REGIONS.map((region) => [region, this.baseUrl(region)])) as Record<
      Region,
      string | null
    >;
  }
}
