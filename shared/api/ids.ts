/** Ids in requests. A parsed id has the format of its kind, but it may not exist. */
import { z } from 'zod';
import type {
  AgentId,
  AuditId,
  InvitationId,
  InvoiceId,
  KeyId,
  ManagementTokenId,
  MemberId,
  OrganizationId,
  PaymentId,
  PersonId,
  RequestId,
  SessionId,
} from '../ids.ts';

function id<Kind extends string>(form: RegExp) {
  return z
    .string()
    .regex(form, 'is not an id of this kind')
    .transform((text) => text as Kind);
}

export const OrganizationIdText = id<OrganizationId>(/^org_[0-9a-hjkmnp-tv-z]{26}$/);
export const AgentIdText = id<AgentId>(/^agt_[0-9a-hjkmnp-tv-z]{26}$/);
export const MemberIdText = id<MemberId>(/^mem_[0-9a-hjkmnp-tv-z]{26}$/);
export const PersonIdText = id<PersonId>(/^per_[0-9a-hjkmnp-tv-z]{26}$/);
export const SessionIdText = id<SessionId>(/^ses_[0-9a-hjkmnp-tv-z]{26}$/);
export const InvitationIdText = id<InvitationId>(/^inv_[0-9a-hjkmnp-tv-z]{26}$/);
export const ManagementTokenIdText = id<ManagementTokenId>(/^mtk_[0-9a-hjkmnp-tv-z]{26}$/);
export const AuditIdText = id<AuditId>(/^aud_[0-9a-hjkmnp-tv-z]{26}$/);
export const PaymentIdText = id<PaymentId>(/^pay_[0-9a-hjkmnp-tv-z]{26}$/);
export const InvoiceIdText = id<InvoiceId>(/^ivc_[0-9a-hjkmnp-tv-z]{26}$/);
export const RequestIdText = id<RequestId>(/^req_[0-9a-hjkmnp-tv-z]{26}$/);
export const KeyIdText = id<KeyId>(/^key_[0-9A-Za-z]{12}$/);
