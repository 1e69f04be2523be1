/** Creates an agent and its join token. The token is shown to the operator once. */
import type { Clock } from '../../../shared/clock.ts';
import { mintId, mintToken } from '../../../shared/ids.ts';
import { digestSecret, type Peppers } from '../../../shared/peppers.ts';
import type { Random } from '../../../shared/random.ts';
import type { Region } from '../../../shared/region.ts';
import type { AgentRow, JoinTokenRow } from '../../store/schema/fleet.ts';

const JOIN_TOKEN_MS = 24 * 60 * 60 * 1000;

export type AgentMintParts = Readonly<{ pepper: Peppers; clock: Clock; random: Random }>;

export function mintAgent(
  { pepper, clock, random }: AgentMintParts,
  { name, region }: Readonly<{ name: string; region: Region }>,
): { joinToken: string; agent: AgentRow; token: JoinTokenRow } {
  const now = clock.now();
  const joinToken = mintToken('join', random);
  const agent: AgentRow = {
    id: mintId('agent', clock, random),
    name,
    region,
    public_key: null,
    state: 'enrolling',
    created: BigInt(now),
    last_seen: null,
  };
  const token: JoinTokenRow = {
    digest: digestSecret(pepper, joinToken),
    agent: agent.id,
    expires: BigInt(now + JOIN_TOKEN_MS),
    used: null,
    used_by_key: null,
  };
  return { joinToken, agent, token };
}
