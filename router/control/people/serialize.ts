/** Formats people for the API. Of their secrets, it shows only whether each exists. */
import { operatorRoleOf } from '../access/caller.ts';
import { OPTIONAL_EMAILS } from '../../../shared/api/people.ts';
import type { Me, Person, PersonDetail, PersonEntry } from '../../../shared/api/people.ts';
import { formatUsd } from '../../../shared/money.ts';
import { instantOrNull, isoInstant } from '../api.ts';
import { isMuted } from '../mail/muted.ts';
import type { WelcomeTerms } from '../welcome/terms.ts';
import type { ListedSession } from '../sessions/procedures.ts';
import type { PersonDetail as Found } from './detail.ts';
import type { PersonEntry as Listed } from './list.ts';
import type { FoundMe, ListedPerson } from './procedures.ts';

export function shownMe(
  { welcome: { amount } }: Readonly<{ welcome: WelcomeTerms }>,
  { person, organizations }: FoundMe,
): Me {
  const credit = amount === 0n ? null : formatUsd(amount);
  return {
    ...shownAccount(person),
    operator_role: operatorRoleOf(person),
    incident_emails: person.incident_emails ?? 'none',
    muted_emails: OPTIONAL_EMAILS.filter((kind) => isMuted(person, kind)),
    organizations: organizations.map(({ awaitsWelcome, ...membership }) => ({
      ...membership,
      welcome_credit: awaitsWelcome ? credit : null,
    })),
  };
}

export function shownPerson(person: ListedPerson): Person {
  return { ...shownAccount(person), locked_at: instantOrNull(person.locked_at) };
}

function shownAccount(person: ListedPerson): Omit<Person, 'locked_at'> {
  const { id, email, email_confirmed, name, operator, totp_step, created } = person;
  return {
    id,
    email,
    email_confirmed: email_confirmed !== null,
    name,
    operator: operator === 1n,
    second_factor: totp_step !== null,
    created: isoInstant(created),
  };
}

function lastSignIn({ last_sign_in: at }: ListedPerson): string | null {
  return at === 0n ? null : isoInstant(at);
}

export function shownPersonEntry(entry: Listed): PersonEntry {
  return {
    ...shownPerson(entry.person),
    organizations: [...entry.organizations],
    organization_count: entry.organizationCount,
    last_sign_in: lastSignIn(entry.person),
  };
}

export function shownPersonDetail({ person, ...found }: Found): PersonDetail {
  return {
    ...shownPerson(person),
    email_confirmed_at: instantOrNull(person.email_confirmed),
    organizations: found.organizations.map(({ joined, ...organization }) => ({
      ...organization,
      joined: isoInstant(joined),
    })),
    last_sign_in: lastSignIn(person),
    sessions: found.sessions.map(shownSession),
    recovery_codes_left: found.recoveryCodesLeft,
    passkeys: found.passkeys,
  };
}

export function shownSession(session: ListedSession): PersonDetail['sessions'][number] {
  const { id, address, client, created, last_seen, expires } = session;
  return {
    id,
    address,
    client,
    created: isoInstant(created),
    last_seen: isoInstant(last_seen),
    expires: isoInstant(expires),
  };
}
