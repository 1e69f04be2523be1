import type { Key } from '../../../../shared/api/keys.ts';

/** The models that an example with the key may name. Without a key: all. */
export function callableBy<Of extends Readonly<{ id: string }>>(
  key: Pick<Key, 'allowed_models'> | null,
  models: readonly Of[],
): readonly Of[] {
  const allowed = key?.allowed_models ?? null;
  return allowed === null ? models : models.filter(({ id }) => allowed.includes(id));
}
