/** `penstock admin operator …` */
import { Name } from '../../shared/api/fields.ts';
import {
  CreatedOperator,
  Operator,
  OperatorRevoked,
  OperatorTokenRevoked,
  RotatedToken,
} from '../../shared/api/operators.ts';
import { Email } from '../../shared/api/people.ts';
import { command } from './command.ts';
import { person } from './flags.ts';

export const operators = {
  create: command({ email: Email, name: Name }, async ({ client, show }, flags) => {
    // The other flags are not for the API, least of all the token among them.
    const wanted = { email: flags.email, name: flags.name };
    const made = await client.call('POST', '/operators', CreatedOperator, wanted);
    await show(made, ({ id, email, password, token }) => ({
      id,
      email,
      password,
      token,
      '': 'The password and the token are shown only once, because the store keeps only their digests.',
    }));
  }),
  list: command({}, async ({ client, list }) =>
    list(client.pages('/operators', Operator), (operator) => ({
      id: operator.id,
      email: operator.email,
      name: operator.name,
      role: operator.role ?? null,
      'second factor': operator.second_factor,
      created: operator.created,
      'last seen': operator.last_seen,
      token: operator.token_created,
      'token last used': operator.token_last_used,
    })),
  ),
  revoke: command({ person }, async ({ client, show }, flags) => {
    const ended = await client.call('DELETE', `/operators/${flags.person}`, OperatorRevoked);
    await show(ended, ({ id }) => ({ id, operator: 'no' }));
  }),
  'revoke-token': command({ person }, async ({ client, show }, flags) => {
    const path = `/operators/${flags.person}/token`;
    const ended = await client.call('DELETE', path, OperatorTokenRevoked);
    await show(ended, ({ id }) => ({ id, token: 'revoked' }));
  }),
  'rotate-token': command({ person }, async ({ client, show }, flags) => {
    const made = await client.call('POST', `/operators/${flags.person}/token`, RotatedToken);
    await show(made, ({ id, token }) => ({
      id,
      token,
      '': 'The token is shown only once. The previous token is no longer valid.',
    }));
  }),
};
