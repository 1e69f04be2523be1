/** Opens the files that a configuration names, as a start would, and changes none of them. */
import { dirname } from 'node:path';
import { readCatalog } from '../shared/catalog.ts';
import { faultOf, systemFault } from '../shared/system-fault.ts';
import { fileFault, newFolderFault } from '../shared/writable.ts';
import type { RouterConfig } from './config.ts';
import { checkStripeKeys, readSecrets } from './secrets.ts';
import { sqliteFile } from './store/store-url.ts';
import { readTls } from './tls.ts';

/**
 * Returns what would end a start, one text for each fault. A text names the setting and the file,
 * and quotes nothing of the file.
 */
export async function fileFaults(config: RouterConfig): Promise<string[]> {
  const checks = [
    faultOf(readCatalog(config.catalog)),
    secretsFault(config),
    storeFault(config),
    ...config.listeners.flatMap(({ tls }) => (tls ? [faultOf(readTls(tls))] : [])),
  ];
  return (await Promise.all(checks)).filter((fault) => fault !== null);
}

async function secretsFault(config: RouterConfig): Promise<string | null> {
  try {
    const secrets = await readSecrets(config.secrets);
    checkStripeKeys(config, secrets);
    if (secrets !== null) return null;
    // The first start on an empty store creates the file.
    const fault = await newFolderFault(dirname(config.secrets));
    return fault && `secrets: ${config.secrets} cannot be made: ${fault}`;
  } catch (error) {
    return `secrets: ${systemFault(error)}`;
  }
}

async function storeFault({ store }: RouterConfig): Promise<string | null> {
  const file = sqliteFile(store);
  if (file === null) return null;
  const fault = (await newFolderFault(dirname(file))) ?? (await fileFault(file));
  return fault && `store: ${fault}`;
}
