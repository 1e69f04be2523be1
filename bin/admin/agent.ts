/** `penstock admin agent …` */
import { Agent, EnrolledAgent, Name, RegionName } from '../../shared/api/management.ts';
import { command, text } from './command.ts';
import { agent } from './flags.ts';

export const enrolAgent = command(
  { name: Name, region: RegionName.default('global') },
  async ({ client, show }, { name, region }) => {
    const enrolled = await client.call('POST', '/agents', EnrolledAgent, { name, region });
    await show(enrolled, ({ id, join_token, expires }) => ({
      id,
      'join token': join_token,
      expires,
      '': 'The token is shown this once: give it to the agent as `join` in its configuration.',
    }));
  },
);

export const listAgents = command({}, async ({ client, list }) =>
  list(client.pages('/agents', Agent), fields),
);

export const revokeAgent = command({ agent }, async ({ client, show }, flags) =>
  show(await client.call('POST', `/agents/${flags.agent}/revoke`, Agent), fields),
);

function fields({ id, name, region, state, connected, created, last_seen }: Agent) {
  return {
    id,
    name,
    region,
    state,
    connected: connected ? 'yes' : 'no',
    created,
    'last seen': text(last_seen),
  };
}
