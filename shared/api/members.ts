/** Members and invitations in the management API. */
import { z } from 'zod';
import { instant } from './fields.ts';
import { page } from './pages.ts';
import { Email, LinkToken } from './people.ts';
import { Role } from './roles.ts';

export const Member = z.object({
  id: z.string(),
  person: z.string(),
  name: z.string(),
  email: z.string(),
  role: Role,
  created: instant.describe('When the person joined the organization.'),
});
export type Member = z.infer<typeof Member>;
export const MemberPage = page(Member);

export const MemberChange = z.strictObject({ role: Role });

export const Left = z.object({ id: z.string(), left: z.literal(true) });

export const NewInvitation = z.strictObject({
  email: Email,
  role: Role.default('developer'),
});

export const Invitation = z.object({
  id: z.string(),
  email: z.string(),
  role: Role,
  invited_by: z.string().nullable().describe('The name of the inviter. Null when it is not known.'),
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
