/** The audit log in the management API. */
import { z } from 'zod';
import { instant } from './fields.ts';
import { AuditIdText, OrganizationIdText } from './ids.ts';
import { page, pageQuery } from './pages.ts';

const actorKind = z.enum([
  'person',
  'operator',
  'management-token',
  'provider',
  'system',
  'nobody',
]);

export const AuditEntry = z.object({
  id: z.string(),
  organization: z.string().nullable(),
  actor: z.object({
    kind: actorKind,
    id: z.string().nullable(),
    name: z
      .string()
      .nullable()
      .describe('The current name of the actor. Null when it is no longer known.'),
    email: z.string().nullable(),
  }),
  action: z.string().meta({ examples: ['key.create'] }),
  target: z.string().nullable().describe('The id of what was changed.'),
  details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  address: z
    .string()
    .nullable()
    .describe('The network address of the actor. Only operators see the address of an operator.'),
  request_id: z.string(),
  created: instant,
});
export type AuditEntry = z.infer<typeof AuditEntry>;
export const AuditPage = page(AuditEntry);

const at = z.iso.datetime().transform((text) => Date.parse(text));

export const AuditQuery = pageQuery(AuditIdText).extend({
  actor: z
    .string()
    .regex(/^(per|mtk)_[0-9a-hjkmnp-tv-z]{26}$/, 'is not the id of a person or a management token')
    .optional(),
  action: z
    .string()
    .regex(
      /^[a-z-]{1,40}(\.[a-z-]{1,40})?$/,
      'must be an action such as key.create, or the part before the dot',
    )
    .optional()
    .meta({ examples: ['key.create', 'key'] }),
  from: at.optional(),
  until: at.optional().describe('The end of the period, which is not included.'),
});
export type AuditQuery = z.output<typeof AuditQuery>;

export const WholeAuditQuery = AuditQuery.extend({ organization: OrganizationIdText.optional() });
