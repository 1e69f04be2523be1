/**
 * Creates an operator: a person with a password and a token. Each is shown once and stored as a
 * digest.
 */
import { mintId, mintToken, type PersonId } from '../../../shared/ids.ts';
import type { OperatorRole } from '../../../shared/operator-roles.ts';
import { digestSecret } from '../../../shared/peppers.ts';
import { milliseconds } from '../../store/milliseconds.ts';
import type { OperatorTokenRow, PersonRow } from '../../store/schema/people.ts';
import type { ControlParts } from '../parts.ts';
import { hashPassword } from '../people/passwords.ts';

/** 120 bits. */
const PASSWORD_BYTES = 15;
const ID_CHARS = 20;

export type OperatorMintParts = Pick<ControlParts, 'pepper' | 'clock' | 'random'>;

export async function mintOperator(
  parts: OperatorMintParts,
  {
    email,
    name,
    role = 'administrator',
  }: Readonly<{ email: string; name: string; role?: OperatorRole | undefined }>,
): Promise<{ password: string; token: string; person: PersonRow; tokenRow: OperatorTokenRow }> {
  const { clock, random } = parts;
  const created = milliseconds(clock.now());
  const password = Buffer.from(random.bytes(PASSWORD_BYTES)).toString('base64url');
  const person: PersonRow = {
    id: mintId('person', clock, random),
    email,
    name,
    password_hash: await hashPassword(password),
    operator: 1n,
    operator_role: role,
    operator_since: created,
    created,
    email_confirmed: created,
    totp_secret: null,
    totp_step: null,
    muted_emails: null,
    incident_emails: null,
    locked_at: null,
    last_sign_in: 0n,
    erased: null,
  };
  const { token, row } = mintOperatorToken(parts, person.id);
  return { password, token, person, tokenRow: row };
}

export function mintOperatorToken(
  { pepper, clock, random }: OperatorMintParts,
  person: PersonId,
): { token: string; row: OperatorTokenRow } {
  const token = mintToken('op', random);
  const digest = digestSecret(pepper, token);
  // A part of the digest identifies the token, and cannot be used in its place.
  const id = `opt_${digest.slice(-ID_CHARS)}`;
  const created = milliseconds(clock.now());
  return { token, row: { id, digest, person, name: 'operator', created, last_used: null } };
}
