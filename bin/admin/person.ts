/** `penstock admin person …` */
import { z } from 'zod';
import { Done, Email, LinkPurposeName, Person, PersonLink } from '../../shared/api/people.ts';
import { SEARCH_CHARS_MAX } from '../../shared/bounds/search-chars.ts';
import { type Context, command } from './command.ts';
import { person as personId } from './flags.ts';

export const people = {
  list: command(
    { search: z.string().max(SEARCH_CHARS_MAX).default('') },
    async ({ client, list }, { search }) =>
      list(client.pages('/people', Person, search === '' ? {} : { search }), (person) => ({
        id: person.id,
        email: person.email,
        name: person.name,
        operator: person.operator,
        confirmed: person.email_confirmed,
        'second factor': person.second_factor,
        locked: Boolean(person.locked_at),
        created: person.created,
      })),
  ),
  link: command(
    { email: Email, purpose: LinkPurposeName },
    async ({ client, show }, { email, purpose }) => {
      const made = await client.call('POST', '/people/links', PersonLink, { email, purpose });
      await show(made, ({ person, url, expires }) => ({
        person,
        link: url,
        expires,
        '': 'The link is shown only once and works only once. Give it to nobody else.',
      }));
    },
  ),
  'lift-second-factor': command({ person: personId }, async ({ client, show }, { person }) => {
    const lifted = await client.call('DELETE', `/people/${person}/totp`, Done);
    await show(lifted, () => ({ person, 'second factor': 'no' }));
  }),
  'end-sessions': command({ person: personId }, async ({ client, show }, { person }) => {
    const ended = await client.call('DELETE', `/people/${person}/sessions`, Done);
    await show(ended, () => ({ person, sessions: 'none' }));
  }),
  lock: command({ person: personId }, (context, { person }) => setLock(context, person, 'lock')),
  unlock: command({ person: personId }, (context, { person }) =>
    setLock(context, person, 'unlock'),
  ),
};

async function setLock(
  { client, show }: Context,
  person: string,
  change: 'lock' | 'unlock',
): Promise<void> {
  const changed = await client.call('POST', `/people/${person}/${change}`, Person);
  await show(changed, ({ email, locked_at: lockedAt }) => ({
    person,
    email,
    locked: lockedAt ?? 'no',
  }));
}
