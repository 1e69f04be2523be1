/** Formats people for the API. Of their secrets, it shows only whether each exists. */
import type { Me, Person } from '../../../shared/api/people.ts';
import { formatUsd } from '../../../shared/money.ts';
import { isoInstant } from '../api.ts';
import type { WelcomeTerms } from '../welcome/terms.ts';
import type { FoundMe, ListedPerson } from './procedures.ts';

export function shownMe(
  { welcome: { amount } }: Readonly<{ welcome: WelcomeTerms }>,
  { person, organizations }: FoundMe,
): Me {
  const credit = amount === 0n ? null : formatUsd(amount);
  return {
    ...shownPerson(person),
    organizations: organizations.map(({ awaitsWelcome, ...membership }) => ({
      ...membership,
      welcome_credit: awaitsWelcome ? credit : null,
    })),
  };
}

export function shownPerson(person: ListedPerson): Person {
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
