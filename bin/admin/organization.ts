/** `penstock admin organization …` */
import { Name, RegionName } from '../../shared/api/fields.ts';
import { Organization } from '../../shared/api/organizations.ts';
import { type Context, command, usd } from './command.ts';
import { amountOrNone, days, idempotencyKey, limits, organization, search } from './flags.ts';
import { limitFields, limitsOf } from './limits.ts';

export const organizations = {
  create: command(
    { name: Name, region: RegionName.default('global'), idempotencyKey },
    async ({ client, show }, { name, region, idempotencyKey: key }) => {
      const made = await client.callOnce('/organizations', Organization, { name, region }, key);
      await show(made, fields);
    },
  ),
  list: command({ search }, async ({ client, list }, flags) =>
    list(client.pages('/organizations', Organization, { search: flags.search }), row),
  ),
  show: command({ organization }, async ({ client, show }, flags) =>
    show(await client.call('GET', `/organizations/${flags.organization}`, Organization), fields),
  ),
  suspend: command({ organization }, (context, flags) =>
    setTerms(context, flags.organization, { status: 'suspended' }),
  ),
  resume: command({ organization }, (context, flags) =>
    setTerms(context, flags.organization, { status: 'active' }),
  ),
  region: command({ organization, region: RegionName }, (context, flags) =>
    change(context, `/organizations/${flags.organization}`, { region: flags.region }),
  ),
  rename: command({ organization, name: Name }, (context, flags) =>
    change(context, `/organizations/${flags.organization}`, { name: flags.name }),
  ),
  limits: command({ organization, ...limits }, (context, flags) =>
    setTerms(context, flags.organization, { limits: limitsOf(flags) }),
  ),
  billing: command(
    { organization, creditLimit: amountOrNone, termsDays: days },
    (context, { organization: owner, creditLimit, termsDays }) =>
      setTerms(context, owner, {
        billing:
          creditLimit === null
            ? { type: 'prepaid' }
            : { type: 'invoiced', credit_limit: creditLimit, payment_terms_days: termsDays },
      }),
  ),
};

function setTerms(context: Context, id: string, to: object): Promise<void> {
  return change(context, `/organizations/${id}/terms`, to);
}

async function change({ client, show }: Context, path: string, to: object): Promise<void> {
  await show(await client.call('PATCH', path, Organization, to), fields);
}

function row({ id, name, region, status, billing, members, created, deleted }: Organization) {
  const state = deleted === null ? status : 'deleted';
  return { id, name, region, status: state, billing: billing.type, members: `${members}`, created };
}

function fields(shown: Organization) {
  const { billing, base_url, low_balance_threshold } = shown;
  return {
    ...row(shown),
    'base URL': base_url,
    'notified below': usd(low_balance_threshold),
    ...(billing.type === 'invoiced'
      ? {
          'credit limit': usd(billing.credit_limit),
          'pays within': `${billing.payment_terms_days} days`,
        }
      : {}),
    ...limitFields(shown.limits),
  };
}
