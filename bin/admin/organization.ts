/** `penstock admin organization …` */
import { Name, RegionName } from '../../shared/api/fields.ts';
import { Organization } from '../../shared/api/organizations.ts';
import { type Context, command } from './command.ts';
import { amountOrNone, limits, organization } from './flags.ts';
import { limitFields, limitsOf } from './limits.ts';

export const createOrganization = command(
  { name: Name, region: RegionName.default('global') },
  async ({ client, show }, { name, region }) => {
    const made = await client.call('POST', '/organizations', Organization, { name, region });
    await show(made, fields);
  },
);

export const listOrganizations = command({}, async ({ client, list }) =>
  list(client.pages('/organizations', Organization), row),
);

export const showOrganization = command({ organization }, async ({ client, show }, flags) =>
  show(await client.call('GET', `/organizations/${flags.organization}`, Organization), fields),
);

export const suspendOrganization = command({ organization }, (context, flags) =>
  change(context, flags.organization, { status: 'suspended' }),
);

export const resumeOrganization = command({ organization }, (context, flags) =>
  change(context, flags.organization, { status: 'active' }),
);

export const moveOrganization = command({ organization, region: RegionName }, (context, flags) =>
  change(context, flags.organization, { region: flags.region }),
);

export const limitOrganization = command({ organization, ...limits }, (context, flags) =>
  change(context, flags.organization, { limits: limitsOf(flags) }),
);

export const billOrganization = command(
  { organization, creditLimit: amountOrNone },
  (context, { organization: owner, creditLimit }) =>
    change(context, owner, {
      billing:
        creditLimit === null
          ? { type: 'prepaid' }
          : { type: 'invoiced', credit_limit: creditLimit },
    }),
);

async function change({ client, show }: Context, id: string, to: object): Promise<void> {
  await show(await client.call('PATCH', `/organizations/${id}`, Organization, to), fields);
}

function row({ id, name, region, status, billing, created }: Organization) {
  return { id, name, region, status, billing: billing.type, created };
}

function fields(shown: Organization) {
  const { billing } = shown;
  return {
    ...row(shown),
    ...(billing.type === 'invoiced' ? { 'credit limit': `USD ${billing.credit_limit}` } : {}),
    ...limitFields(shown.limits),
  };
}
