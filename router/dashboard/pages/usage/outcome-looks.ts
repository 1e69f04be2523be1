/** How requests end, and what each outcome is called and looks like wherever it is shown. */

/** The status of a request whose client closed the connection. */
export const CLIENT_LEFT = 499;

/** From the bottom of a bar in a chart to its top. */
export const OUTCOMES = ['succeeded', 'canceled', 'failed', 'refused'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/**
 * The outcomes that are failures, wherever the dashboard counts, lists or names them. A client that
 * closes its connection has canceled its request, which is no failure.
 */
export const FAILURES = ['failed', 'refused'] as const satisfies readonly Outcome[];

export function isFailure(outcome: Outcome): outcome is (typeof FAILURES)[number] {
  return (FAILURES as readonly Outcome[]).includes(outcome);
}

type Look = Readonly<{
  name: string;
  /** The tone of its badge, which has the hue of its colour. */
  tone: 'neutral' | 'accent' | 'warn' | 'bad';
  /** Its colour in charts, their legends, timelines and its badge. */
  colour: string;
}>;

export const OUTCOME_LOOKS: Readonly<Record<Outcome, Look>> = {
  succeeded: { name: 'Succeeded', tone: 'accent', colour: 'var(--series-1)' },
  canceled: { name: 'Canceled', tone: 'neutral', colour: 'var(--series-other)' },
  failed: { name: 'Failed', tone: 'bad', colour: 'var(--bad)' },
  refused: { name: 'Refused', tone: 'warn', colour: 'var(--series-3)' },
};

/**
 * The outcome whose tone a request has. An engine that refuses a request has found a mistake of its
 * client, as the router does: the request counts as failed, and has the tone of one that was refused.
 * The mark of its badge has the colour that it is counted with.
 */
export function lookedLike(outcome: Outcome, status: number): Outcome {
  return outcome === 'failed' && status < 500 ? 'refused' : outcome;
}

export function lookOf(outcome: Outcome, status: number): Look {
  return OUTCOME_LOOKS[lookedLike(outcome, status)];
}

/** The outcome of a request that was admitted, by the rule by which the API counts them. */
export function outcomeOfStatus(status: number): Exclude<Outcome, 'refused'> {
  if (status === CLIENT_LEFT) return 'canceled';
  return status < 400 ? 'succeeded' : 'failed';
}
