/** Organizations in the management API. */
import { z } from 'zod';
import { inPico } from '../money.ts';
import { Region } from '../region.ts';
import {
  Limits,
  LimitsChange,
  Name,
  RegionName,
  UsdAmount,
  count,
  instant,
  usd,
} from './fields.ts';
import { OrganizationIdText } from './ids.ts';
import { page, pageQuery } from './pages.ts';

export const NewOrganization = z.strictObject({
  name: Name.meta({ examples: ['Acme Robotics'] }),
  region: RegionName.default('global'),
});

const status = z.enum(['active', 'suspended']);
const DAYS_FAULT = 'Enter a number of days from 0 to 365.';

export const Organization = z.object({
  id: z.string(),
  name: z.string(),
  region: Region,
  base_url: z
    .string()
    .nullable()
    .describe(
      'The base URL that its keys call, in its region. Null when this router does not know it.',
    )
    .meta({ examples: ['https://api.example.com/v1'] }),
  moves: z
    .array(z.object({ region: Region, base_url: z.string() }))
    .describe(
      'The regions to which an org-admin may move the organization, with the base URL that its keys then call. ' +
        'Regions whose base URL this router does not know are left out.',
    ),
  status,
  billing: z.discriminatedUnion('type', [
    z.object({ type: z.literal('prepaid') }),
    z.object({
      type: z.literal('invoiced'),
      credit_limit: usd.describe('The balance may go down to minus this amount.'),
      payment_terms_days: count.describe('How many days it has to pay an invoice.'),
    }),
  ]),
  limits: Limits.describe('What was set for this organization. Null: the default of the service.'),
  limits_in_force: Limits.describe(
    'What applies to all keys together: `limits`, and the defaults of the service where they are null. Null: no limit.',
  ),
  low_balance_threshold: usd
    .nullable()
    .describe('Members who manage billing get an email when the balance falls below this amount.'),
  members: count.describe('How many people belong to it.'),
  created: instant,
  deleted: instant
    .nullable()
    .describe(
      'When the organization was deleted. Null except for operators, who still see deleted organizations.',
    ),
});
export type Organization = z.infer<typeof Organization>;
export const OrganizationPage = page(Organization);

export const OrganizationQuery = pageQuery(OrganizationIdText).extend({
  search: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .optional()
    .describe("An id, or a part of a name or of a member's email address."),
});

/** Only the fields that are given change, either all of them or none. */
export const OrganizationSettings = z.strictObject({
  name: Name.optional(),
  region: RegionName.optional().describe(
    'The new region. A move other than from Global to US or EU is for operators only. Keys, credits and billing stay.',
  ),
  low_balance_threshold: UsdAmount.transform(inPico)
    .nullable()
    .optional()
    .meta({ examples: ['10'] }),
});
export type OrganizationSettings = z.output<typeof OrganizationSettings>;

/** Like `OrganizationSettings`, for the fields that only operators change. */
export const OrganizationTerms = z.strictObject({
  status: status.optional(),
  limits: LimitsChange.optional(),
  billing: z
    .discriminatedUnion('type', [
      z.strictObject({ type: z.literal('prepaid') }),
      z.strictObject({
        type: z.literal('invoiced'),
        credit_limit: UsdAmount.transform(inPico),
        payment_terms_days: z
          .int(DAYS_FAULT)
          .min(0, DAYS_FAULT)
          .max(365, DAYS_FAULT)
          .optional()
          .describe('How many days it has to pay an invoice. Default: as before, or 30.'),
      }),
    ])
    .optional(),
});
export type OrganizationTerms = z.output<typeof OrganizationTerms>;
