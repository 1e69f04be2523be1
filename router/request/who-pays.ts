/**
 * Who pays for a request, by the way in which it ended and how far it had come. This table is the
 * only place where that is decided (MONEY 15). `docs/who-pays.md` is generated from it.
 */

/** How far a request had come when it ended. */
export const PROGRESS = {
  untaken: 'The engine has not accepted it',
  uncounted: 'Accepted; prompt not counted',
  counted: 'Prompt counted; nothing shown',
  begun_uncounted: 'Answer begun; nothing counted',
  begun: 'Answer begun, and counted',
} as const;
export type Progress = keyof typeof PROGRESS;

export const PAYS = {
  free: 'nothing',
  waived: 'nothing, but counted as waived work',
  last_count: 'the last count',
  full: 'the whole answer',
} as const;
/**
 * `waived`: free, and counted as waived work, which is limited for each organization and minute.
 * `last_count`: the prompt, and what was generated as last counted by the engine, at most what was
 * granted.
 */
export type Pays = keyof typeof PAYS;

/** Who caused the end. */
type Fault = 'nobody' | 'customer' | 'host' | 'platform';

type Row = Readonly<{
  /** The text in the documentation. */
  what: string;
  fault: Fault;
  pays: Readonly<Record<Progress, Pays>>;
}>;

const FREE = paid({});
const FULL = paid({
  untaken: 'full',
  uncounted: 'full',
  counted: 'full',
  begun_uncounted: 'full',
  begun: 'full',
});
/** The customer ended the request: the engine's work is charged, as far as it was counted. */
const AS_COUNTED = paid({
  uncounted: 'waived',
  counted: 'last_count',
  begun_uncounted: 'waived',
  begun: 'last_count',
});
/** The customer's request cannot be answered: nothing was shown, but the prompt was read. */
const WAIVED = paid({
  uncounted: 'waived',
  counted: 'waived',
  begun_uncounted: 'waived',
  begun: 'waived',
});
/** Nobody is to blame: what was shown is charged, the rest is not. */
const AS_SHOWN = paid({ begun_uncounted: 'waived', begun: 'last_count' });

export const WHO_PAYS = {
  finished: row('nobody', 'The answer is complete', FULL),
  ended_at_grant: row(
    'customer',
    'The credit or a cap of spend is used up, the key is revoked, or a whole answer has as many log probabilities as it may: the answer ends with `length` at the last token that is granted',
    FULL,
  ),
  client_left: row(
    'customer',
    'The client leaves (a request with an `Idempotency-Key` goes on)',
    AS_COUNTED,
  ),
  client_stalled: row('customer', 'The client stops reading for a minute', AS_COUNTED),
  suspended: row(
    'customer',
    'The organization is suspended or deleted: its answers are cut',
    AS_COUNTED,
  ),
  request_deadline: row('nobody', 'The answer takes longer than an hour', AS_SHOWN),
  context_length: row('customer', 'Prompt and answer do not fit the context of the model', WAIVED),
  credit_short: row(
    'customer',
    'The credit does not pay for the prompt as the engine counts it',
    WAIVED,
  ),
  inputs_too_long: row(
    'customer',
    'The inputs of the tools are too long for an answer that is not streamed',
    WAIVED,
  ),
  request_refused: row('customer', 'The engine refuses the request', FREE),
  not_placed: row('platform', 'No worker serves the model, or all are full for too long', FREE),
  first_byte_deadline: row('host', 'No answer begins within ten minutes', FREE),
  idle_deadline: row('host', 'The engine sends nothing for two minutes', FREE),
  empty_answer: row('host', 'The answer is empty', FREE),
  engine_failed: row('host', 'The engine fails', FREE),
  engine_died: row('host', 'The engine dies', FREE),
  worker_lost: row('host', 'The link to the host is lost', FREE),
  agent_misbehaved: row('host', 'The agent breaks the rules of the link', FREE),
  hold_lost: row('platform', 'The hold is gone: another router declared this router dead', FREE),
  store_away: row('platform', 'The database cannot be reached', FREE),
  answers_full: row(
    'platform',
    'Too many answers that are kept are in progress: the router has no memory for more of this one',
    FREE,
  ),
  settle_unknown: row(
    'platform',
    'The database does not say within ten seconds whether the charge was made: it is reversed',
    FREE,
  ),
  settle_refused: row(
    'platform',
    'The hold is gone, and the credit or a cap of spend does not cover the charge',
    FREE,
  ),
  answered_before: row(
    'customer',
    'Another router has meanwhile charged a request with the same `Idempotency-Key` (of a repeat of the same body, only the answer counts)',
    WAIVED,
  ),
  internal_error: row('platform', 'The router fails with an internal error', FREE),
} as const satisfies Record<string, Row>;

/** Why a request ended. */
export type Cause = keyof typeof WHO_PAYS;

export function whoPays(cause: Cause, progress: Progress): Pays {
  return WHO_PAYS[cause].pays[progress];
}

/**
 * Whether a request that ends now may be charged, or counted as waived work, by its last counts. If
 * so, the router waits for them.
 */
export function needsLastCount(cause: Cause, progress: Progress): boolean {
  const isBegun = progress === 'begun' || progress === 'begun_uncounted';
  return whoPays(cause, isBegun ? 'begun' : 'counted') !== 'free';
}

export function progressOf(
  seen: Readonly<{ accepted: boolean; counted: boolean; begun: boolean }>,
): Progress {
  if (seen.begun) return seen.counted ? 'begun' : 'begun_uncounted';
  if (!seen.accepted) return 'untaken';
  return seen.counted ? 'counted' : 'uncounted';
}

function paid(cells: Partial<Record<Progress, Pays>>): Record<Progress, Pays> {
  return {
    untaken: 'free',
    uncounted: 'free',
    counted: 'free',
    begun_uncounted: 'free',
    begun: 'free',
    ...cells,
  };
}

function row(fault: Fault, what: string, pays: Row['pays']): Row {
  return { what, fault, pays };
}
