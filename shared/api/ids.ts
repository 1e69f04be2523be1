/** Ids in requests. A parsed id has the format of its kind, but it may not exist. */
import { z } from 'zod';
import type {
  AgentId,
  AlarmId,
  AuditId,
  ChatId,
  HostEventId,
  IncarnationId,
  IncidentId,
  InvitationId,
  InvoiceId,
  KeyId,
  ManagementTokenId,
  MemberId,
  OrganizationId,
  PasskeyId,
  PaymentId,
  PersonId,
  RequestId,
  SessionId,
  WebhookDeliveryId,
  WebhookId,
} from '../ids.ts';

/** The random part of an id: a ULID in lower case, or 12 letters and digits of a key. */
const ULID = '[0-9a-hjkmnp-tv-z]{26}';
const KEY = '[0-9A-Za-z]{12}';

function id<Kind extends string>(prefix: string, rest = ULID) {
  return z
    .string()
    .regex(new RegExp(`^${prefix}_${rest}$`), `This is not an ID that begins with ${prefix}_.`)
    .transform((text) => text as Kind);
}

export const OrganizationIdText = id<OrganizationId>('org');
export const IncarnationIdText = id<IncarnationId>('rtr');
export const AgentIdText = id<AgentId>('agt');
export const AlarmIdText = id<AlarmId>('alm');
export const MemberIdText = id<MemberId>('mem');
export const PersonIdText = id<PersonId>('per');
export const SessionIdText = id<SessionId>('ses');
export const PasskeyIdText = id<PasskeyId>('pky');
export const InvitationIdText = id<InvitationId>('inv');
export const ManagementTokenIdText = id<ManagementTokenId>('mtk');
export const AuditIdText = id<AuditId>('aud');
/** An event of an agent: an entry of the audit log, or what a router has recorded. */
export const AgentEventIdText = id<AuditId | HostEventId>('(?:aud|hev)');
export const PaymentIdText = id<PaymentId>('pay');
export const InvoiceIdText = id<InvoiceId>('ivc');
export const WebhookIdText = id<WebhookId>('whk');
export const WebhookDeliveryIdText = id<WebhookDeliveryId>('dlv');
export const IncidentIdText = id<IncidentId>('icd');
export const ChatIdText = id<ChatId>('cht');
export const RequestIdText = id<RequestId>('req');
export const JobIdText = id<string>('job', '[0-9a-f]{26}');
export const KeyIdText = id<KeyId>('key', KEY);
/** An id of an object of any kind. */
export const ObjectIdText = z
  .string()
  .regex(new RegExp(`^(?:[a-z]{3}_${ULID}|key_${KEY})$`), 'This is not the ID of an object.')
  .meta({ examples: ['key_4fKd82LmQz0A'] });
