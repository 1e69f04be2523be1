/** What the tests of the audit log's query plans ask for, on both databases. */
import type { AuditFilter } from '../../../router/control/audit/list.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Rig } from './rig.ts';

/** A page of the log of the platform. */
export const WHOLE_LOG: AuditFilter = {
  after: null,
  limit: 50,
  organizations: null,
  account: null,
  target: null,
  actors: null,
  showsOperators: true,
  actions: null,
  except: null,
  from: null,
  until: null,
};

type Targets = Readonly<{
  organization: OrganizationId;
  /** Ids of the organization and of what it has. */
  owned: readonly string[];
  /** Ids of what belongs to no organization. */
  ofNone: readonly string[];
}>;

export async function auditTargets(rig: Rig): Promise<Targets> {
  const organization = rig.first.organization.id;
  const path = `/api/v1/organizations/${organization}`;
  const key = await rig.ask('POST', `${path}/keys`, { name: 'a' });
  const token = await rig.ask('POST', `${path}/tokens`, { name: 'ci', role: 'viewer' });
  return {
    organization,
    owned: [organization, key.body.id, token.body.id],
    ofNone: [`agt_${'2'.repeat(26)}`, `per_${'3'.repeat(26)}`, `icd_${'4'.repeat(26)}`],
  };
}
