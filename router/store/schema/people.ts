/** The tables of who signs in and acts: people, members, sessions, links, invitations, tokens, and the audit log. */
import type { Role } from '../../../shared/api/roles.ts';
import type {
  AuditId,
  InvitationId,
  ManagementTokenId,
  MemberId,
  OrganizationId,
  PersonId,
  SessionId,
} from '../../../shared/ids.ts';

export interface PersonRow {
  id: PersonId;
  email: string;
  name: string;
  password_hash: string;
  /** 1 for an operator of the platform, else 0. */
  operator: bigint;
  created: bigint;
  /** When the address was shown to be theirs; null: not yet. */
  email_confirmed: bigint | null;
  /** Sealed under the installation's secrets; null: no second factor. */
  totp_secret: string | null;
  /** The last time step whose code was accepted: none is accepted twice. Null: not one yet, so it is not asked for. */
  totp_step: bigint | null;
  /** Their name and address are gone; the row stays for what refers to it. */
  erased: bigint | null;
}

export interface MemberRow {
  id: MemberId;
  organization: OrganizationId;
  person: PersonId;
  role: Role;
  created: bigint;
  /** A member who has left stays for the usage that is theirs. */
  left_at: bigint | null;
}

export interface SessionRow {
  id: SessionId;
  digest: string;
  /** After a rotation, for requests that were under way: good until `former_until`. */
  former_digest: string | null;
  former_until: bigint | null;
  /** 1: its next request is given a new token. */
  rotate: bigint;
  person: PersonId;
  /** From where it was begun, and what by. */
  address: string;
  client: string;
  created: bigint;
  last_seen: bigint;
  expires: bigint;
}

/** What a letter's link is good for, once. */
export interface LinkRow {
  digest: string;
  purpose: 'reset-password' | 'confirm-email' | 'invitation';
  subject: PersonId | InvitationId;
  /** Where it was sent: what it proves to be theirs. */
  email: string;
  created: bigint;
  expires: bigint;
  used: bigint | null;
}

/** In place of a second factor's code, once. */
export interface RecoveryCodeRow {
  digest: string;
  person: PersonId;
  used: bigint | null;
}

/** Attempts of one account or address since an instant. */
export interface ThrottleRow {
  subject: string;
  count: bigint;
  since: bigint;
}

export interface InvitationRow {
  id: InvitationId;
  organization: OrganizationId;
  email: string;
  role: Role;
  state: 'open' | 'accepted' | 'revoked';
  invited_by: PersonId | null;
  created: bigint;
  expires: bigint;
}

/** For scripts: acts for its organization with a role, and cannot infer. */
export interface ManagementTokenRow {
  id: ManagementTokenId;
  organization: OrganizationId;
  digest: string;
  name: string;
  role: Role;
  created_by: PersonId | null;
  created: bigint;
  expires: bigint | null;
  last_used: bigint | null;
  revoked: bigint | null;
}

/** Who did what, from where; never a secret. Immutable. */
export interface AuditRow {
  id: AuditId;
  organization: OrganizationId | null;
  actor_kind: 'person' | 'operator' | 'management-token' | 'provider' | 'system' | 'nobody';
  actor: string | null;
  action: string;
  target: string | null;
  /** JSON. */
  details: string;
  address: string;
  request: string;
  created: bigint;
}

export interface OperatorTokenRow {
  id: string;
  digest: string;
  person: PersonId;
  name: string;
  created: bigint;
}
