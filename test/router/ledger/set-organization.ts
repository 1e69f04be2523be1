/** Procedures that change one thing of an organization, without an audit entry. */
import {
  type Billing,
  type ChangeAnswer,
  changeOrganization,
  type Organization,
} from '../../../router/identity/organizations.ts';
import type { LimitsChange } from '../../../router/ledger/limits.ts';
import type { Procedure } from '../../../router/store/procedure.ts';
import type { OrganizationId } from '../../../shared/ids.ts';
import type { Region } from '../../../shared/region.ts';

export const setStatus: Procedure<
  Readonly<{ organization: OrganizationId; status: Organization['status'] }>,
  ChangeAnswer
> = {
  name: 'setStatus',
  access: 'write',
  invalidates: ({ organization }) => organization,
  run: (db, { organization, status }) => changeOrganization(db, organization, { status }),
};

export const setRegion: Procedure<
  Readonly<{ organization: OrganizationId; region: Region }>,
  ChangeAnswer
> = {
  name: 'setRegion',
  access: 'write',
  invalidates: ({ organization }) => organization,
  run: (db, { organization, region }) => changeOrganization(db, organization, { region }),
};

export const setLimits: Procedure<
  Readonly<{ organization: OrganizationId; limits: LimitsChange }>,
  ChangeAnswer
> = {
  name: 'setLimits',
  access: 'write',
  invalidates: ({ organization }) => organization,
  run: (db, { organization, limits }) => changeOrganization(db, organization, { limits }),
};

export const setBilling: Procedure<
  Readonly<{ organization: OrganizationId }> & Billing,
  ChangeAnswer
> = {
  name: 'setBilling',
  access: 'write',
  invalidates: ({ organization }) => organization,
  run: (db, { organization, ...billing }) => changeOrganization(db, organization, { billing }),
};
