/** A new operator: a person with a password and a token, each told once and kept as a digest. */
import type { Clock } from '../../../shared/clock.ts';
import { mintId, mintToken } from '../../../shared/ids.ts';
import { digestSecret, type Peppers } from '../../../shared/peppers.ts';
import type { Random } from '../../../shared/random.ts';
import type { OperatorTokenRow, PersonRow } from '../../store/schema/people.ts';
import { hashPassword } from '../people/passwords.ts';

/** 120 bits. */
const PASSWORD_BYTES = 15;

export type OperatorMintParts = Readonly<{ pepper: Peppers; clock: Clock; random: Random }>;

export async function mintOperator(
  { pepper, clock, random }: OperatorMintParts,
  { email, name }: Readonly<{ email: string; name: string }>,
): Promise<{ password: string; token: string; person: PersonRow; tokenRow: OperatorTokenRow }> {
  const created = BigInt(clock.now());
  const password = Buffer.from(random.bytes(PASSWORD_BYTES)).toString('base64url');
  const token = mintToken('op', random);
  const digest = digestSecret(pepper, token);
  const person: PersonRow = {
    id: mintId('person', clock, random),
    email,
    name,
    password_hash: await hashPassword(password),
    operator: 1n,
    created,
    email_confirmed: created,
    totp_secret: null,
    totp_step: null,
    erased: null,
  };
  const tokenRow: OperatorTokenRow = {
    // A piece of the digest: it names the token in lists and is of no use in place of it.
    id: `opt_${digest.slice(-20)}`,
    digest,
    person: person.id,
    name: 'first run',
    created,
  };
  return { password, token, person, tokenRow };
}
