/** The audit log in the management API. */
import { z } from 'zod';
import { askedInstant, instant } from './fields.ts';
import { AuditIdText, ObjectIdText, OrganizationIdText, PersonIdText } from './ids.ts';
import { oneOrMore, page, pageQuery } from './pages.ts';

const actorKind = z.enum([
  'person',
  'operator',
  'management-token',
  'provider',
  'system',
  'nobody',
]);

const values = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

export const AuditEntry = z.object({
  id: z.string(),
  organization: z.string().nullable(),
  organization_name: z.string().nullable(),
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
  summary: z
    .string()
    .describe('The entry as a sentence for people, with current names. Its wording may change.')
    .meta({ examples: ['Alice changed the monthly cap of the API key "ci" from $20 to $50'] }),
  target: z.string().nullable().describe('The id of what was changed.'),
  target_name: z
    .string()
    .nullable()
    .describe('Its current name. Null when it has none, or when it is no longer known.'),
  target_exists: z
    .boolean()
    .optional()
    .describe(
      'Whether what was changed has a name and still exists: a deleted key, a revoked token, a former member and an invitation that is no longer open do not. Absent when a router of an earlier version answers.',
    ),
  details: values,
  before: values
    .nullable()
    .describe(
      'The values that `details` has replaced, by the same names. Null when there were none, and ' +
        'for changes that were made with an earlier version.',
    ),
  address: z
    .string()
    .nullable()
    .describe('The network address of the actor. Only operators see the address of an operator.'),
  request_id: z.string(),
  created: instant,
});
export type AuditEntry = z.infer<typeof AuditEntry>;
export const AuditPage = page(AuditEntry);

const actor = z
  .string()
  .regex(
    /^(per|mtk)_[0-9a-hjkmnp-tv-z]{26}$/,
    'This is not the ID of a person or a management token.',
  );
const action = z
  .string()
  .regex(
    /^[a-z-]{1,40}(\.[a-z-]{1,40})?$/,
    'Enter an action such as key.create, or the part before the dot.',
  )
  .meta({ examples: ['key.create', 'key'] });

export const AuditQuery = pageQuery(AuditIdText).extend({
  actor: oneOrMore(actor),
  action: oneOrMore(action),
  except: oneOrMore(action).describe('Leaves out entries of this action, or of this kind.'),
  target: ObjectIdText.optional().describe(
    'Only entries about the object with this ID, such as an API key.',
  ),
  from: askedInstant.optional(),
  until: askedInstant.optional().describe('The end of the period, which is not included.'),
  format: z.enum(['json', 'csv']).default('json'),
});
export type AuditQuery = z.output<typeof AuditQuery>;

export const WholeAuditQuery = AuditQuery.extend({
  organization: oneOrMore(OrganizationIdText),
  target: ObjectIdText.optional().describe(
    'Only entries about the object with this ID: an organization, something that it has, such as an API key, a person, an agent with its workers, an incident or a job. Of the entries about a person, those that belong to an organization, such as a sign-up, are left out. A chat, and what is no longer stored, such as a deleted webhook endpoint, is found only with its `organization`.',
  ),
  account: PersonIdText.optional().describe(
    'Only what happened to the account of this person, such as a lock or a new password. Entries of organizations are left out.',
  ),
});
