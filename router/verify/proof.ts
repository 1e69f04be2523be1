/** How a number or a row of the store is proven, or why it needs no proof. */

/** The file beside this one whose check finds a wrong value. */
type By =
  | 'accounts'
  | 'forgotten'
  | 'holds'
  | 'invoices'
  | 'keys'
  | 'ledger-days'
  | 'meters'
  | 'payments'
  | 'rollups'
  | 'spending'
  | 'stretches'
  | 'usage';

export type Proof = Readonly<{ by: By } | { because: string }>;

export const by = (check: By): Proof => ({ by: check });
export const because = (why: string): Proof => ({ because: why });

export const INSTANT = because('an instant: no sum includes it');
export const SETTING = because('a setting: people change it, and the audit log records who did');
export const PACE = because('it decides when something is tried again, not whether it is owed');
export const PEOPLE = because('it decides who can sign in, not what is owed');
export const STAND_IN = because(
  "the sandbox's own books: it replaces a payment provider, which would keep its own",
);
export const ASKED = because(
  'the requested amount: the amount that was paid is in `paid`, which is proven',
);
export const MEASURED = because('measured while the request ran: nothing is charged by it');
export const RATE = because('it counts against a rate limit, and expires within two minutes');
export const FLEET = because('it decides who serves requests, not what is owed');
export const HISTORY = because('measured for operators: nothing is charged by it, and it expires');
export const CHAT = because('what a person keeps for themselves: no sum includes it');
export const PUBLISHED = because(
  'operators tell customers what happened: nothing is charged by it',
);
export const REFUSED = because(
  'a request that was refused before it was admitted: nothing is charged by it',
);
export const NOTICE = because('what customers are told of: no sum includes it');
export const WORK = because('work to do: the things that it is about have rows of their own');
