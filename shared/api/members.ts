/** Members and invitations in the management API. */
import { z } from 'zod';
import { Cap, instant, usd } from './fields.ts';
import { page } from './pages.ts';
import { Email, LinkToken } from './people.ts';
import { Role } from './roles.ts';

/** What the keys that a member created may spend together, and have spent. */
export const ShownCaps = z.object({
  monthly_cap: usd.nullable(),
  daily_cap: usd.nullable(),
  spend: z
    .object({ today: usd, month: usd })
    .nullable()
    .describe(
      'What the keys that the member created were charged on this day and in this calendar month (UTC), in USD. Null: the member has no cap.',
    ),
});
export type ShownCaps = z.infer<typeof ShownCaps>;

export const Member = z.object({
  id: z.string(),
  person: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  created: instant.describe('When the person joined the organization.'),
  last_active: instant
    .nullable()
    .optional()
    .describe(
      'When the person last used this organization while signed in, to within a minute. Requests with API keys do not count. Null: not known. Only people who may manage members get this field.',
    ),
  last_sign_in: instant
    .nullable()
    .optional()
    .describe(
      'When the person last signed in, whichever organization they then used. Null: not known. Only operators get this field.',
    ),
  ...ShownCaps.shape,
});
export type Member = z.infer<typeof Member>;
export const MemberPage = page(Member);

export const MemberChange = z.strictObject({ role: Role });

/** The answer to a change of caps. */
export const SetCaps = ShownCaps.extend({ id: z.string() });

/** Only the caps that are given change. */
export const MemberCaps = z.strictObject({
  monthly_cap: Cap.optional()
    .describe(
      'The most that all keys that the member created may spend together in a calendar month (UTC), in USD. Null: no cap.',
    )
    .meta({ examples: ['100'] }),
  daily_cap: Cap.optional()
    .describe(
      'The most that all keys that the member created may spend together in a day (UTC), in USD. Null: no cap.',
    )
    .meta({ examples: ['10'] }),
});
export type MemberCaps = z.output<typeof MemberCaps>;

export const Left = z.object({ id: z.string(), left: z.literal(true) });

export const NewInvitation = z.strictObject({
  email: Email,
  role: Role.default('developer'),
});

export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: Role,
  invited_by: z
    .string()
    .nullable()
    .describe('The name of the inviter. Null when an operator invited.'),
  state: z.enum(['open', 'expired']),
  created: instant,
  expires: instant,
});
export type Invitation = z.infer<typeof Invitation>;
export const InvitationPage = page(Invitation);

/**
 * The only response that contains a link. The email to the invited address contains another link.
 */
export const SentInvitation = Invitation.extend({
  url: z
    .string()
    .describe(
      'A link for the invited person, to pass on by hand. It works once and confirms no email address.',
    ),
});

export const RevokedInvitation = z.object({ id: z.string(), revoked: z.literal(true) });

export const InvitationToken = z.strictObject({ token: LinkToken });

export const InvitationPreview = z.object({
  organization: z.string(),
  email: z.string(),
  role: Role,
  expires: instant,
});

export const Joined = z.object({
  organization: z.string(),
  name: z.string(),
  member: z.string(),
  role: Role,
});
