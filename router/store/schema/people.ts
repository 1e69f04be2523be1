/** The tables of people, members, sessions, links, invitations, tokens, and the audit log. */
import type { Role } from '../../../shared/api/roles.ts';
import type { OperatorRole } from '../../../shared/operator-roles.ts';
import type {
  AuditId,
  InvitationId,
  ManagementTokenId,
  MemberId,
  OrganizationId,
  PasskeyId,
  PersonId,
  SessionId,
} from '../../../shared/ids.ts';

export interface PeopleTables {
  people: PersonRow;
  members: MemberRow;
  sessions: SessionRow;
  links: LinkRow;
  recovery_codes: RecoveryCodeRow;
  passkeys: PasskeyRow;
  used_challenges: UsedChallengeRow;
  throttles: ThrottleRow;
  invitations: InvitationRow;
  management_tokens: ManagementTokenRow;
  audit: AuditRow;
  operator_tokens: OperatorTokenRow;
  operator_changes: OperatorChangesRow;
}

export interface PersonRow {
  id: PersonId;
  email: string;
  name: string;
  password_hash: string;
  /** 1 for an operator of the platform, else 0. */
  operator: bigint;
  /** Null for who is no operator, and for an administrator whom an earlier version created. */
  operator_role: OperatorRole | null;
  /** Null: since the account exists, or never. */
  operator_since: bigint | null;
  created: bigint;
  /** When the person confirmed the address; null: not yet. */
  email_confirmed: bigint | null;
  /** Sealed (encrypted) under the installation's secrets; null: no second factor. */
  totp_secret: string | null;
  /**
   * The last time step whose code was accepted, since no code is accepted twice. Null: none was
   * yet, so no code is asked for.
   */
  totp_step: bigint | null;
  /** The kinds of emails that are switched off, with commas between them; null: none. */
  muted_emails: string | null;
  /** Which emails about incidents the person has chosen; null: none. */
  incident_emails: 'all' | null;
  /** When an operator locked the account, so that nobody signs in to it; null: it is not locked. */
  locked_at: bigint | null;
  /** When the person last signed in or signed up; 0: not known. */
  last_sign_in: bigint;
  /** When the person was erased: name and address are gone, but references keep the row. */
  erased: bigint | null;
}

export interface MemberRow {
  id: MemberId;
  organization: OrganizationId;
  person: PersonId;
  role: Role;
  created: bigint;
  /** When the member left. The row stays for the usage that is theirs. */
  left_at: bigint | null;
  /** When the member last used the organization in a session, to within a minute; 0: not known. */
  last_active: bigint;
}

export interface SessionRow {
  id: SessionId;
  digest: string;
  /** The token before the last rotation: requests in flight may use it until `former_until`. */
  former_digest: string | null;
  former_until: bigint | null;
  /** 1: the session's next request gets a new token. */
  rotate: bigint;
  person: PersonId;
  /** The address and the client that began the session. */
  address: string;
  client: string;
  created: bigint;
  last_seen: bigint;
  expires: bigint;
}

/** A link that was sent by email and can be used once. */
export interface LinkRow {
  digest: string;
  purpose: 'reset-password' | 'confirm-email' | 'invitation';
  subject: PersonId | InvitationId;
  /** The address that it was sent to. Its use confirms that the address is theirs. */
  email: string;
  created: bigint;
  expires: bigint;
  used: bigint | null;
}

/** A code that replaces a second factor's code, once. */
export interface RecoveryCodeRow {
  digest: string;
  person: PersonId;
  used: bigint | null;
}

/** A credential of WebAuthn, with which a person signs in instead of a password. */
export interface PasskeyRow {
  id: PasskeyId;
  person: PersonId;
  /** The id that the authenticator has given it, in base64url. */
  credential: string;
  /** In COSE, in base64url. */
  public_key: string;
  /** How many signatures the authenticator has counted; 0: it does not count them. */
  counter: bigint;
  name: string;
  created: bigint;
  last_used: bigint | null;
}

/** A challenge that was used, until it has expired, so that it is not used again. */
export interface UsedChallengeRow {
  challenge: string;
  expires: bigint;
}

/** How many attempts an account or an address has made since an instant. */
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

/** For scripts: acts for its organization with a role, and cannot be used for inference. */
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

/** Who did what, and from where; it never has a secret. Immutable. */
export interface AuditRow {
  id: AuditId;
  organization: OrganizationId | null;
  actor_kind: 'person' | 'operator' | 'management-token' | 'provider' | 'system' | 'nobody';
  actor: string | null;
  action: string;
  target: string | null;
  /** JSON. */
  details: string;
  /** JSON: the values that `details` has replaced; null: none were recorded. */
  before: string | null;
  /** Why an operator did it, which customers never see. Null: no reason was given. */
  reason: string | null;
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
  /** To within a minute; null: not since routers record it. */
  last_used: bigint | null;
}

/** An operator has allowed changes in an organization for a while. Expired rows are swept. */
export interface OperatorChangesRow {
  organization: OrganizationId;
  person: PersonId;
  reason: string;
  begun: bigint;
  ends: bigint;
}
