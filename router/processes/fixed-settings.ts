/**
 * The settings that all processes of a router must have in common, because they share listeners and
 * a store. A child that reads others in its configuration file does not start.
 */
import { createHash } from 'node:crypto';
import { BUILD, describeBuild } from '../../shared/build.ts';
import type { RouterConfig } from '../config.ts';
import { ConfigError } from '../config-error.ts';
import { sqliteFile } from '../store/store-url.ts';

/** The environment variable in which a child gets those of its parent, as a digest. */
export const FIXED_SETTINGS = 'PENSTOCK_FIXED_SETTINGS';

/** The environment variable in which a child gets the build of its parent. */
export const PARENT_BUILD = 'PENSTOCK_PARENT_BUILD';
/** The first release did not set the variable. */
const FIRST_RELEASE = '0.1.0';

/** `config` has the ports that are in use. */
export function fixedSettings({ listeners, store }: RouterConfig): string {
  return createHash('sha256').update(JSON.stringify({ listeners, store })).digest('hex');
}

/**
 * Throws ConfigError if this process has other settings than its parent, or if it is of another
 * version and the threads of its parent, which run the code of that version, have the store open.
 */
export function checkFixedSettings(config: RouterConfig): void {
  const { [PARENT_BUILD]: parent = FIRST_RELEASE } = process.env;
  const own = describeBuild(BUILD);
  if (parent !== own && sqliteFile(config.store) !== null) {
    throw new ConfigError(
      `this process is Penstock ${own}, and its parent, which has the SQLite file open, is ${parent}: ` +
        'stop the router, and start it again',
    );
  }
  if (process.env[FIXED_SETTINGS] === fixedSettings(config)) return;
  throw new ConfigError(
    '`listeners` and `store` cannot change while the router runs: stop it, and start it again',
  );
}
