/** Opens the store of an installation. */
import { readSecrets } from '../secrets.ts';
import { openStore } from '../store/open-store.ts';
import type { Store, StoreParts } from '../store/store.ts';

/** The module from which the threads of the store take the procedures that they run. */
export const REGISTRY = new URL('../procedures.ts', import.meta.url);

/** A store's URL and the secrets file that belongs to it. */
export type Where = Readonly<{ store: string; secrets: string }>;

/**
 * Opens the store, and does `meanwhile` while its threads start. Closes the store if `meanwhile`
 * fails. A damaged secrets file is reported before anything is changed.
 */
export async function openStoreOf<Done>(
  where: Where,
  parts: StoreParts,
  meanwhile: () => Promise<Done>,
): Promise<[Store, Done]> {
  await readSecrets(where.secrets);
  const doing = meanwhile();
  // Its rejection is handled below, once the store is open.
  doing.catch(() => {});
  await using undo = new AsyncDisposableStack();
  const store = undo.use(await openStore({ url: where.store, registry: REGISTRY }, parts));
  const done = await doing;
  undo.move();
  return [store, done];
}
