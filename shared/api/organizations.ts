/** Organizations in the management API. */
import { z } from 'zod';
import { Region } from '../wire/messages.ts';
import {
  Limits,
  LimitsChange,
  Name,
  RegionName,
  UsdAmount,
  inPico,
  instant,
  usd,
} from './fields.ts';
import { page } from './pages.ts';

export const NewOrganization = z.strictObject({ name: Name, region: RegionName.default('global') });

const status = z.enum(['active', 'suspended']);

export const Organization = z.object({
  id: z.string(),
  name: z.string(),
  region: Region,
  status,
  billing: z.discriminatedUnion('type', [
    z.object({ type: z.literal('prepaid') }),
    /** Its balance may go down to `-credit_limit`. */
    z.object({ type: z.literal('invoiced'), credit_limit: usd }),
  ]),
  limits: Limits,
  created: instant,
});
export type Organization = z.infer<typeof Organization>;
export const OrganizationPage = page(Organization);

/** What is given changes, all of it or nothing. */
export const OrganizationChange = z.strictObject({
  status: status.optional(),
  region: RegionName.optional(),
  limits: LimitsChange.optional(),
  billing: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('prepaid') }),
      z.strictObject({ type: z.literal('invoiced'), credit_limit: UsdAmount.transform(inPico) }),
    ])
    .optional(),
});
export type OrganizationChange = z.output<typeof OrganizationChange>;
