/**
 * What the notice above the pages of an organization says of its credit. What it said last is kept in
 * this browser, so that its place is there before it is known again, and the page does not move.
 */
import type { CreditForecast } from '../../../shared/api/credit.ts';
import type { Organization } from '../../../shared/api/organizations.ts';
import { forecastWords, isShort } from '../format/credit-forecast.ts';
import { store, stored } from '../storage.ts';
import { type Balance, isUsedUp, owes } from './balance.ts';

const KINDS = ['owing', 'suspended', 'empty', 'too_little', 'low'] as const;

export type Standing = Readonly<{
  /**
   * `owing`: it is suspended, and owes more than it may. `too_little`: there is credit, and it
   * covers no request.
   */
  kind: (typeof KINDS)[number];
  /** For how long credit that is low lasts, as a sentence; null if that is not known. */
  lasts: string | null;
  /** Whether credit that is low did not cover a request of the last `SHORTFALL_MINUTES`. */
  isRefusing: boolean;
}>;

type Facts = Readonly<{
  status: Organization['status'];
  /** The available credit in USD. */
  available: string;
  balance: Balance;
  /** Undefined while it is loading. */
  forecast: CreditForecast | undefined;
  /** Whether the organization waits for its welcome credit, of which another notice tells. */
  isAwaited: boolean;
  /** As in `Standing`. */
  isRefusing: boolean;
}>;

/** Null if there is nothing to say. */
export function standingOf(facts: Facts): Standing | null {
  const { status, balance, forecast, isAwaited, isRefusing } = facts;
  const nothingElse = { lasts: null, isRefusing: false };
  if (status === 'suspended') return { kind: owes(facts) ? 'owing' : 'suspended', ...nothingElse };
  if (isAwaited || balance === 'fine') return null;
  if (balance === 'empty')
    return { kind: isUsedUp(facts) ? 'empty' : 'too_little', ...nothingElse };
  const lasts = forecast && isShort(forecast) ? forecastWords(forecast) : null;
  return { kind: 'low', lasts, isRefusing };
}

/** Of the organization that was shown last alone. It has no amounts. */
const NAME = 'standing';

/** What is kept of an organization, of which there may be nothing to say. */
export function standingText(organization: string, standing: Standing | null): string {
  return JSON.stringify({ organization, standing });
}

export function rememberStanding(text: string): void {
  store(NAME, text);
}

/** Null if nothing was said, or if another organization was shown last. */
export function lastStanding(organization: string): Standing | null {
  return readStanding(stored(NAME), organization);
}

/** Null for a text that another version of the dashboard has written in another form. */
export function readStanding(text: string | null, organization: string): Standing | null {
  try {
    const kept = JSON.parse(text ?? '') as Readonly<{
      organization: unknown;
      standing: Readonly<{ [Part in keyof Standing]: unknown }> | null;
    }>;
    if (kept.organization !== organization || kept.standing === null) return null;
    const { kind, lasts, isRefusing } = kept.standing;
    const known = KINDS.find((one) => one === kind);
    if (known === undefined) return null;
    return {
      kind: known,
      lasts: typeof lasts === 'string' ? lasts : null,
      isRefusing: isRefusing === true,
    };
  } catch {
    return null;
  }
}
