/** Organizations in the management API. */
import { z } from 'zod';
import type { OrganizationId } from '../ids.ts';
import { inPico } from '../money.ts';
import { Region } from '../region-schema.ts';
import {
  count,
  instant,
  Limits,
  LimitsChange,
  Name,
  Reason,
  RegionName,
  Search,
  usd,
  UsdAmount,
} from './fields.ts';
import { FOREIGN_CURSOR, page, pageQuery, refuseOtherSort, sortedCursor } from './pages.ts';

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

/** An organization in the list of operators. */
export const OrganizationEntry = Organization.extend({
  balance: usd.describe('What it has, with what running requests hold.'),
  spend_30_days: usd.describe(
    'What it was charged for requests today (UTC) and on the 29 days before, less reversed charges.',
  ),
  last_request: instant
    .nullable()
    .describe('When one of its keys was last used. Null when none ever was.'),
});
export type OrganizationEntry = z.infer<typeof OrganizationEntry>;
export const OrganizationPage = page(OrganizationEntry);

export const ORGANIZATION_STATUSES = ['active', 'suspended', 'deleted'] as const;
export type OrganizationStatus = (typeof ORGANIZATION_STATUSES)[number];
export const ORGANIZATION_SORTS = ['created', 'balance', 'spend', 'last_request'] as const;
export type OrganizationSort = (typeof ORGANIZATION_SORTS)[number];
export const ORGANIZATION_ORDERS = ['desc', 'asc'] as const;
export type OrganizationOrder = (typeof ORGANIZATION_ORDERS)[number];

/**
 * What the list is sorted by, and the id: of the last organization of a page. The value is any
 * number that a column of 64 bits can hold.
 */
const OrganizationPlace = z
  .string()
  .regex(/^-?\d{1,19}_org_[0-9a-z]{26}$/, FOREIGN_CURSOR)
  .transform((text) => {
    const at = text.indexOf('_');
    return { value: BigInt(text.slice(0, at)), id: text.slice(at + 1) as OrganizationId };
  })
  .refine(({ value }) => BigInt.asIntN(64, value) === value, FOREIGN_CURSOR);

export const OrganizationQuery = pageQuery(sortedCursor(OrganizationPlace))
  .extend({
    search: Search.min(1)
      .optional()
      .describe("An id, or a part of a name or of a member's email address."),
    status: z
      .enum(ORGANIZATION_STATUSES)
      .optional()
      .describe('`active` and `suspended` have no deleted organizations.'),
    region: RegionName.optional().describe('Only organizations of this region.'),
    billing: z
      .enum(['prepaid', 'invoiced'])
      .optional()
      .describe('Only organizations that are billed like this.'),
    credit: z
      .enum(['left', 'none'])
      .optional()
      .describe('`left`: the balance is above 0. `none`: it is 0 or less.'),
    sort: z
      .enum(ORGANIZATION_SORTS)
      .default('created')
      .describe('`spend`: the charges of 30 days. A cursor belongs to one sort and order.'),
    order: z
      .enum(ORGANIZATION_ORDERS)
      .default('desc')
      .describe('`desc`: the newest, the highest or the latest first.'),
    format: z.enum(['json', 'csv']).default('json'),
  })
  .superRefine(refuseOtherSort);
export type OrganizationQuery = z.output<typeof OrganizationQuery>;

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
  status: status.optional().meta({ examples: ['suspended'] }),
  reason: Reason.optional().describe(
    'Why the organization is suspended or resumed. Only operators see it. Refused when the call does not change the status.',
  ),
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
