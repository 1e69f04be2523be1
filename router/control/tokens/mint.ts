/** Creates a management token: the value, which its maker sees once, and the row to store. */
import type { Role } from '../../../shared/api/roles.ts';
import { mintId, mintToken, type OrganizationId, type PersonId } from '../../../shared/ids.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { ManagementTokenRow } from '../../store/schema/people.ts';
import type { ControlParts } from '../parts.ts';

export type TokenMintParts = Pick<ControlParts, 'pepper' | 'clock' | 'random'>;

export function mintManagementToken(
  { pepper, clock, random }: TokenMintParts,
  wanted: Readonly<{
    organization: OrganizationId;
    name: string;
    role: Role;
    maker: PersonId;
    /** ms since the epoch; null means never. */
    expires: number | null;
  }>,
): { value: string; row: ManagementTokenRow } {
  const value = mintToken('mgmt', random);
  const { organization, name, role, maker, expires } = wanted;
  const row: ManagementTokenRow = {
    id: mintId('managementToken', clock, random),
    organization,
    digest: digestSecret(pepper, value),
    name,
    role,
    created_by: maker,
    created: milliseconds(clock.now()),
    expires: expires === null ? null : milliseconds(expires),
    last_used: null,
    revoked: null,
  };
  return { value, row };
}
