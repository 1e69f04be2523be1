/** `penstock admin organization …` */
import { Name, Organization, RegionName } from '../../shared/api/management.ts';
import { command } from './command.ts';
import { organization } from './flags.ts';

export const createOrganization = command(
  { name: Name, region: RegionName.default('global') },
  async ({ client, show }, { name, region }) => {
    const made = await client.call('POST', '/organizations', Organization, { name, region });
    await show(made, fields);
  },
);

export const listOrganizations = command({}, async ({ client, list }) =>
  list(client.pages('/organizations', Organization), fields),
);

export const showOrganization = command({ organization }, async ({ client, show }, flags) =>
  show(await client.call('GET', `/organizations/${flags.organization}`, Organization), fields),
);

function fields({ id, name, region, status, billing, created }: Organization) {
  return { id, name, region, status, billing, created };
}
