/** `penstock admin token …` */
import { Name } from '../../shared/api/fields.ts';
import { Deleted } from '../../shared/api/keys.ts';
import { Role } from '../../shared/api/roles.ts';
import { CreatedToken, Token } from '../../shared/api/tokens.ts';
import { command } from './command.ts';
import { expires, organization, token } from './flags.ts';

export const tokens = {
  create: command(
    { organization, name: Name, role: Role, expires },
    async ({ client, show }, flags) => {
      const path = `/organizations/${flags.organization}/tokens`;
      const wanted = { name: flags.name, role: flags.role, expires: flags.expires };
      const made = await client.call('POST', path, CreatedToken, wanted);
      await show(made, (created) => ({
        id: created.id,
        name: created.name,
        role: created.role,
        token: created.token,
        '': 'The token is shown only once, because the store keeps only a digest of it.',
      }));
    },
  ),
  list: command({ organization }, async ({ client, list }, flags) =>
    list(client.pages(`/organizations/${flags.organization}/tokens`, Token), fields),
  ),
  revoke: command({ organization, token }, async ({ client, show }, flags) => {
    const path = `/organizations/${flags.organization}/tokens/${flags.token}`;
    await show(await client.call('DELETE', path, Deleted), ({ id }) => ({ id, state: 'revoked' }));
  }),
};

function fields({ id, name, role, state, created_by: maker, ...more }: Token) {
  return {
    id,
    name,
    role,
    state,
    'made by': maker && (maker.name ?? maker.person),
    created: more.created,
    expires: more.expires,
    'last used': more.last_used,
  };
}
