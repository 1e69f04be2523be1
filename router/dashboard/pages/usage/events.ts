/** What happened to a request that was admitted, and when, in the order of time. */
import type { RequestTimeline, UsageDetail } from '../../../../shared/api/usage.ts';
import { shownMs } from '../../format/count.ts';
import { outcomeOf } from './outcome.ts';
import { lookedLike, type Outcome } from './outcome-looks.ts';
import { failureText, isLastFailed, isRefusedByEngine } from './stages.ts';

export type TimelineEvent = Readonly<{
  name: string;
  /** ms after the request arrived. Null when it is not stored. */
  afterMs: number | null;
  note?: string | undefined;
  /** The outcome whose look the end of the request or of an attempt has. Left out if it went on. */
  look?: Outcome;
}>;

type Shown = Pick<
  UsageDetail,
  'ttft_ms' | 'duration_ms' | 'status' | 'finish_reason' | 'error' | 'timeline'
>;

/** All events after the arrival. */
export function eventsOf(detail: Shown, timeline: RequestTimeline): TimelineEvent[] {
  const { body_ms, admitted_ms, picked_ms, waited_ms, failed_attempts } = timeline;
  const isPicked = picked_ms !== null && !isLastFailed(timeline);
  // Each time is rounded, so that an attempt may seem to end after the next one began.
  const nextAt = (nth: number) =>
    failed_attempts[nth + 1]?.after_ms ?? (isPicked ? picked_ms : detail.duration_ms);
  const failed = failed_attempts.map(({ after_ms, duration_ms }, nth) => ({
    name: isRefusedByEngine(timeline, nth) ? 'Refused by the engine' : `Attempt ${nth + 1} failed`,
    afterMs: Math.min(after_ms + duration_ms, nextAt(nth)),
    note: failureText(timeline, nth, detail.ttft_ms),
    look: isRefusedByEngine(timeline, nth) ? ('refused' as const) : ('failed' as const),
  }));
  const waited = waited_ms === null ? '' : ` It had waited ${shownMs(waited_ms)} in the queue.`;
  const ttft = detail.ttft_ms;
  const events = [
    { name: 'Read', afterMs: body_ms, note: 'The body had arrived and was checked.' },
    { name: 'Admitted', afterMs: admitted_ms, note: 'Limits allowed it, and credit was reserved.' },
    ...failed,
    ...(isPicked
      ? [{ name: 'Host picked', afterMs: picked_ms, note: `It was sent to a host.${waited}` }]
      : []),
    ...(ttft === null ? [] : [{ name: 'First token', afterMs: ttft }]),
  ];
  return [...events.toSorted((one, other) => one.afterMs - other.afterMs), endOf(detail)];
}

export function endOf(detail: Omit<Shown, 'timeline' | 'ttft_ms'>): TimelineEvent {
  const { outcome, text } = outcomeOf(detail);
  return {
    name: 'Ended',
    afterMs: detail.duration_ms,
    note: text,
    look: lookedLike(outcome, detail.status),
  };
}
