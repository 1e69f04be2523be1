/** An invitation, with the token of its link. */
import type { z } from 'zod';
import type { InvitationPreview } from '../../../../shared/api/members.ts';

export type Invited = z.infer<typeof InvitationPreview> & Readonly<{ token: string }>;
