/**
 * The settings that can change while the router runs: `logLevel`, `requestLog` and `limits`. The
 * configuration is read again on request. A file with a fault is rejected and logged as an error, and so are limits
 * that are not those of the fleet. The previous settings then stay in force.
 */
import { isDeepStrictEqual } from 'node:util';
import { type Log, setLogLevel } from '../shared/log.ts';
import type { RouterConfig } from './config.ts';

export type LiveSettingsParts = Readonly<{
  log: Log;
  /** Reads the configuration again. Rejects with ConfigError. */
  read: () => Promise<RouterConfig>;
  /** Lists how the settings that a fleet shares differ from those of this configuration. */
  differencesFromFleet: (config: RouterConfig) => Promise<readonly string[]>;
  /** Called when the configuration was read again: with false if it was rejected. */
  onReload?: (isAccepted: boolean) => void;
}>;

const RELOADED: readonly (keyof RouterConfig)[] = ['logLevel', 'requestLog', 'limits'];

export class LiveSettings {
  readonly #parts: LiveSettingsParts;
  /** The configuration that the router was started with. */
  readonly #atStart: RouterConfig;
  #inForce: Pick<RouterConfig, 'limits' | 'requestLog'>;

  constructor(atStart: RouterConfig, parts: LiveSettingsParts) {
    this.#parts = parts;
    this.#atStart = atStart;
    this.#inForce = atStart;
  }

  /** Limits for organizations and keys that have none of their own. */
  get limits(): RouterConfig['limits'] {
    return this.#inForce.limits;
  }

  get requestLog(): RouterConfig['requestLog'] {
    return this.#inForce.requestLog;
  }

  /** Resolves when the configuration has been read again. Never rejects. */
  async reload(): Promise<void> {
    const { log } = this.#parts;
    try {
      const isAccepted = await this.#read();
      this.#parts.onReload?.(isAccepted);
    } catch (error) {
      this.#parts.onReload?.(false);
      const message = 'new configuration was rejected, and the previous settings stay in force';
      log.error({ err: error }, message);
    }
  }

  /** Returns whether the configuration was accepted. */
  async #read(): Promise<boolean> {
    const { log, read, differencesFromFleet } = this.#parts;
    const config = await read();
    const differences = await differencesFromFleet(config);
    if (differences.length > 0) {
      const message =
        'new configuration was rejected: it differs from that of the fleet (see `penstock fleet settings --help`)';
      log.error({ differences }, message);
      return false;
    }
    this.#inForce = config;
    setLogLevel(log, config.logLevel);
    log.info({ logLevel: config.logLevel }, 'configuration was read again');
    const atNextStart = Object.keys(config).filter((name) => {
      const setting = name as keyof RouterConfig;
      return (
        !RELOADED.includes(setting) && !isDeepStrictEqual(config[setting], this.#atStart[setting])
      );
    });
    if (atNextStart.length > 0) {
      log.warn(
        { settings: atNextStart },
        'settings were changed that take effect at the next start',
      );
    }
    return true;
  }
}
