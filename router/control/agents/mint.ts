/** Creates an agent and its join token. The token is shown to the operator once. */
import { mintId, mintToken } from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import type { Region } from '../../../shared/region.ts';
import type { AgentRow, JoinTokenRow } from '../../store/schema/fleet.ts';
import type { ControlParts } from '../parts.ts';

const JOIN_TOKEN_MS = 24 * 60 * 60 * 1000;

export type AgentMintParts = Pick<ControlParts, 'pepper' | 'clock' | 'random'>;

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
