/**
 * The settings that all processes of a router must have in common, because they share listeners and
 * a store. A child that reads others in its configuration file does not start.
 */
import { createHash } from 'node:crypto';
import type { RouterConfig } from '../config.ts';
import { ConfigError } from '../config-error.ts';

/** The environment variable in which a child gets those of its parent, as a digest. */
export const FIXED_SETTINGS = 'PENSTOCK_FIXED_SETTINGS';

/** `config` has the ports that are in use. */
export function fixedSettings({ listeners, store }: RouterConfig): string {
  return createHash('sha256').update(JSON.stringify({ listeners, store })).digest('hex');
}

/** Throws ConfigError if this process has other settings than its parent. */
export function checkFixedSettings(config: RouterConfig): void {
  if (process.env[FIXED_SETTINGS] === fixedSettings(config)) return;
  throw new ConfigError(
    '`listeners` and `store` cannot change while the router runs: stop it, and start it again',
  );
}
