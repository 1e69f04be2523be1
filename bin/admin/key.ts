/** `penstock admin key …` */
import { CreatedKey, Deleted, Key, Name } from '../../shared/api/management.ts';
import { command, text } from './command.ts';
import { key, organization } from './flags.ts';

export const createKey = command(
  { organization, name: Name },
  async ({ client, show }, { organization: owner, name }) => {
    const made = await client.call('POST', `/organizations/${owner}/keys`, CreatedKey, { name });
    await show(made, (created) => ({
      id: created.id,
      name: created.name,
      key: created.key,
      '': 'The key is shown this once: only a digest of it is kept.',
    }));
  },
);

export const listKeys = command({ organization }, async ({ client, list }, flags) =>
  list(client.pages(`/organizations/${flags.organization}/keys`, Key), fields),
);

export const revokeKey = command({ organization, key }, async ({ client, show }, flags) =>
  show(await client.call('POST', `${pathOf(flags)}/revoke`, Key), fields),
);

export const deleteKey = command({ organization, key }, async ({ client, show }, flags) =>
  show(await client.call('DELETE', pathOf(flags), Deleted), ({ id }) => ({ id, state: 'deleted' })),
);

function pathOf(flags: { organization: string; key: string }): string {
  return `/organizations/${flags.organization}/keys/${flags.key}`;
}

function fields({ id, name, label, state, created, last_used }: Key) {
  return { id, name, label, state, created, 'last used': text(last_used) };
}
