/** `penstock admin member …` and `penstock admin invitation …` */
import { z } from 'zod';
import { MemberIdText } from '../../shared/api/ids.ts';
import { Left, Member, SentInvitation, SetCaps, type ShownCaps } from '../../shared/api/members.ts';
import { Role } from '../../shared/api/roles.ts';
import { command, usd } from './command.ts';
import { caps, organization } from './flags.ts';

const member = MemberIdText;

export const members = {
  list: command({ organization }, async ({ client, list }, flags) =>
    list(client.pages(`/organizations/${flags.organization}/members`, Member), row),
  ),
  role: command(
    { organization, member, role: Role },
    async ({ client, show }, { role, ...flags }) =>
      show(await client.call('PATCH', pathOf(flags), Member, { role }), row),
  ),
  caps: command(
    { organization, member, ...caps },
    async ({ client, show }, { monthlyCap: monthly_cap, dailyCap: daily_cap, ...flags }) => {
      const wanted = { monthly_cap, daily_cap };
      const set = await client.call('PATCH', `${pathOf(flags)}/caps`, SetCaps, wanted);
      await show(set, ({ id, ...shown }) => ({ id, ...capFields(shown) }));
    },
  ),
  remove: command({ organization, member }, async ({ client, show }, flags) =>
    show(await client.call('DELETE', pathOf(flags), Left), ({ id }) => ({ id, state: 'left' })),
  ),
};

export const invitations = {
  create: command(
    { organization, email: z.string().min(1, 'is empty'), role: Role.default('developer') },
    async ({ client, show }, { organization: owner, email, role }) => {
      const path = `/organizations/${owner}/invitations`;
      const made = await client.call('POST', path, SentInvitation, { email, role });
      await show(made, (sent) => ({
        id: sent.id,
        email: sent.email,
        role: sent.role,
        expires: sent.expires,
        link: sent.url,
        '': 'The link is shown only once. Whoever has the link can join the organization.',
      }));
    },
  ),
};

function pathOf(flags: { organization: string; member: string }): string {
  return `/organizations/${flags.organization}/members/${flags.member}`;
}

function row({ id, name, email, role, created, ...shown }: Member) {
  return { id, name, email, role, created, ...capFields(shown) };
}

function capFields({ monthly_cap, daily_cap, spend }: ShownCaps) {
  return {
    'monthly cap': usd(monthly_cap),
    'daily cap': usd(daily_cap),
    today: usd(spend && spend.today),
    'this month': usd(spend && spend.month),
  };
}
