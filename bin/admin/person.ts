/** `penstock admin person …` */
import { z } from 'zod';
import { Done, Email, LinkPurposeName, Person, PersonLink } from '../../shared/api/people.ts';
import { command } from './command.ts';
import { person as personId } from './flags.ts';

export const people = {
  list: command({ search: z.string().max(100).default('') }, async ({ client, list }, { search }) =>
    list(client.pages('/people', Person, search === '' ? {} : { search }), (person) => ({
      id: person.id,
      email: person.email,
      name: person.name,
      operator: person.operator,
      confirmed: person.email_confirmed,
      'second factor': person.second_factor,
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
};
