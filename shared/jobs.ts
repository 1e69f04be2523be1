/** How much of background jobs is kept, counted and tried again. */

/** The most attempts of a job or of a delivery that are kept: as many as a job has. */
export const ATTEMPTS_KEPT_MAX = 12;
/** The most jobs of a state that are counted. */
export const JOBS_COUNTED_MAX = 1_000;
/** The most jobs that one call tries again. */
export const JOBS_RETRIED_MAX = 100;

/** Why an email was sent to nobody, although its job is done. */
export const UNSENT_REASONS = [
  'invitation_accepted',
  'invitation_revoked',
  'invitation_expired',
  'organization_deleted',
  'no_account',
  'account_deleted',
  'account_locked',
  'address_settled',
  'not_in_charge',
  'switched_off',
  'nobody_in_charge',
  'no_subscribers',
  'no_more_subscribers',
  'superseded',
  'postponed',
  'withdrawn',
] as const;
export type UnsentReason = (typeof UNSENT_REASONS)[number];
