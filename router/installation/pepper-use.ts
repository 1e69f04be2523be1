/**
 * Counts what is digested or sealed under each pepper. An old pepper can be removed from the
 * secrets file when nothing depends on it any more.
 */
import type { Log } from '../../shared/log.ts';
import { pepperOf, type Peppers } from '../../shared/peppers.ts';
import type { Random } from '../../shared/random.ts';
import { ConfigError } from '../config-error.ts';
import { sealAgain } from '../control/access/sealing.ts';
import { readSecrets } from '../secrets.ts';
import { openStoreReadOnly } from '../store/open-store.ts';
import type { Store, StoreParts } from '../store/store.ts';
import {
  countPepperUse,
  listSealed,
  type PepperUse,
  replaceSealed,
  SEALED,
  type Sealed,
  type SealedKind,
} from './pepper-procedures.ts';
import { REGISTRY, type Where } from './store.ts';

/** Counts the rows for each pepper of a secrets file, the newest first. */
export async function pepperUseIn(where: Where, parts: StoreParts): Promise<readonly PepperUse[]> {
  const secrets = await readSecrets(where.secrets);
  if (secrets === null) throw new ConfigError(`secrets: there is no ${where.secrets}`);
  await using store = await openStoreReadOnly({ url: where.store, registry: REGISTRY }, parts);
  return await store.call(countPepperUse, secrets.peppers);
}

type SealParts = Readonly<{ pepper: Peppers; random: Random; log: Log }>;

/**
 * Seals every second factor, webhook secret and key of a chat again under the newest pepper, which
 * needs nothing of its owner. Does nothing if there is only one pepper.
 */
export async function sealAllAgain(store: Pick<Store, 'call'>, parts: SealParts): Promise<void> {
  if (parts.pepper.all.length === 1) return;
  for (const kind of Object.keys(SEALED) as SealedKind[]) await sealKindAgain(store, parts, kind);
}

async function sealKindAgain(
  store: Pick<Store, 'call'>,
  parts: SealParts,
  kind: SealedKind,
): Promise<void> {
  for (let after = ''; ; ) {
    const rows = await store.call(listSealed, { kind, after });
    for (const row of rows) {
      if (pepperOf(parts.pepper, row.sealed) === null) continue;
      const to = sealedAgain(parts, row);
      if (to !== null) await store.call(replaceSealed, { ...row, to });
    }
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Null: there is nothing to do, or the secret is damaged. Damage must not prevent a start. */
function sealedAgain(parts: SealParts, { kind, id, sealed }: Sealed): string | null {
  try {
    return sealAgain(parts, { purpose: SEALED[kind].purpose, id }, sealed);
  } catch (error) {
    parts.log.error(
      { kind, row: id, err: error },
      'failed to encrypt a secret under the newest pepper: the stored secret is damaged',
    );
    return null;
  }
}
