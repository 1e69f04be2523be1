/**
 * The first run on an empty store: creates an operator, an organization with credit and a key, and
 * an agent.
 */
import type { Clock } from '../../shared/clock.ts';
import { mintId, type OrganizationId } from '../../shared/ids.ts';
import type { Peppers } from '../../shared/peppers.ts';
import type { Random } from '../../shared/random.ts';
import { newOrganization } from '../identity/organizations.ts';
import type { Store } from '../store/store.ts';
import { mintAgent } from './agents/mint.ts';
import { mintKey } from './keys/mint.ts';
import { mintOperator } from './operators/mint.ts';
import { seedStore, isStoreEmpty } from './seed.ts';

/** The result of a first run. Its secrets are shown once: the store keeps only their digests. */
export type FirstRun = Readonly<{
  operator: Readonly<{ email: string; password: string; token: string }>;
  organization: Readonly<{ id: OrganizationId; name: string }>;
  apiKey: string;
  agent: Readonly<{ id: string; joinToken: string }>;
}>;

const EMAIL = 'operator@penstock.local';

/**
 * Sets up an empty store. `keep` is called with the result before the store has it, so that no
 * secret is lost. Returns null, and changes nothing, when the store already has people,
 * organizations or agents.
 */
export async function bootstrap(
  store: Pick<Store, 'call'>,
  parts: Readonly<{
    pepper: Peppers;
    brand: string;
    clock: Clock;
    random: Random;
    /** The first organization's credit in pico-USD. Defaults to USD 5. */
    welcome?: bigint;
  }>,
  keep: (firstRun: FirstRun) => Promise<void> = async () => {},
): Promise<FirstRun | null> {
  if (!(await store.call(isStoreEmpty, null))) return null;
  const { clock, random } = parts;
  const operator = await mintOperator(parts, { email: EMAIL, name: 'Operator' });
  const organization = newOrganization(parts, {
    name: 'Default',
    region: 'global',
    ...(parts.welcome !== undefined && { welcome: parts.welcome }),
  });
  const member = mintId('member', clock, random);
  const key = mintKey(parts, { organization: organization.id, name: 'default', member });
  const { joinToken, agent, token } = mintAgent(parts, { name: 'local', region: 'global' });
  const firstRun: FirstRun = {
    operator: { email: EMAIL, password: operator.password, token: operator.token },
    organization: { id: organization.id, name: organization.name },
    apiKey: key.value,
    agent: { id: agent.id, joinToken },
  };
  await keep(firstRun);
  const isMade = await store.call(seedStore, {
    person: operator.person,
    operatorToken: operator.tokenRow,
    organization,
    member: {
      id: member,
      organization: organization.id,
      person: operator.person.id,
      role: 'org-admin',
      created: operator.person.created,
      left_at: null,
      last_active: 0n,
    },
    key: key.row,
    agent,
    joinToken: token,
  });
  return isMade ? firstRun : null;
}
