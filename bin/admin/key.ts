/** `penstock admin key …` */
import { Name } from '../../shared/api/fields.ts';
import { CreatedKey, Deleted, Key } from '../../shared/api/keys.ts';
import { command, usd } from './command.ts';
import { caps, expires, key, limits, models, organization } from './flags.ts';
import { limitFields, limitsOf } from './limits.ts';

const own = { ...limits, ...caps, models };

export const keys = {
  create: command(
    { organization, name: Name, expires, ...own },
    async ({ client, show }, { organization: owner, name, monthlyCap, dailyCap, ...flags }) => {
      const wanted = {
        name,
        expires: flags.expires,
        limits: limitsOf(flags),
        monthly_cap: monthlyCap,
        daily_cap: dailyCap,
        allowed_models: flags.models,
      };
      const made = await client.call('POST', `/organizations/${owner}/keys`, CreatedKey, wanted);
      await show(made, (created) => ({
        id: created.id,
        name: created.name,
        key: created.key,
        '': 'The key is shown only once, because the store keeps only a digest of it.',
      }));
    },
  ),
  list: command({ organization }, async ({ client, list }, flags) =>
    list(client.pages(`/organizations/${flags.organization}/keys`, Key), fields),
  ),
  limits: command({ organization, key, ...own }, async ({ client, show }, flags) => {
    const { monthlyCap: monthly_cap, dailyCap: daily_cap, models: allowed_models } = flags;
    const wanted = { limits: limitsOf(flags), monthly_cap, daily_cap, allowed_models };
    await show(await client.call('PATCH', pathOf(flags), Key, wanted), (shown) => ({
      ...fields(shown),
      ...limitFields(shown.limits),
    }));
  }),
  revoke: command({ organization, key }, async ({ client, show }, flags) =>
    show(await client.call('POST', `${pathOf(flags)}/revoke`, Key), fields),
  ),
  delete: command({ organization, key }, async ({ client, show }, flags) =>
    show(await client.call('DELETE', pathOf(flags), Deleted), ({ id }) => ({
      id,
      state: 'deleted',
    })),
  ),
};

function pathOf(flags: { organization: string; key: string }): string {
  return `/organizations/${flags.organization}/keys/${flags.key}`;
}

function fields(shown: Key) {
  const { id, name, label, state, monthly_cap, daily_cap, allowed_models, spend, ...more } = shown;
  return {
    id,
    name,
    label,
    state,
    'made by': makerOf(more),
    'monthly cap': usd(monthly_cap),
    'daily cap': usd(daily_cap),
    models: allowed_models?.join(' ') ?? 'all',
    today: usd(spend.today),
    'this month': usd(spend.month),
    'in all': usd(spend.total),
    created: more.created,
    expires: more.expires,
    'last used': more.last_used,
  };
}

function makerOf({
  created_by: member,
  created_by_other: other,
}: Pick<Key, 'created_by' | 'created_by_other'>): string | null {
  if (member) return member.name ?? member.member;
  if (!other) return null;
  return other.kind === 'operator' ? 'an operator' : `token ${other.name ?? other.id}`;
}
