/** The stages of a request that was admitted, from what is stored of it, and its story in words. */
import type { RequestTimeline, UsageDetail } from '../../../../shared/api/usage.ts';
import { REFUSALS } from '../../../../shared/refusals.ts';
import { shownCount, shownMs } from '../../format/count.ts';

export type StageKind = 'read' | 'admit' | 'pick' | 'wait' | 'failed' | 'prompt' | 'response';

/** A part of the time of a request, in ms after it arrived. */
export type Stage = Readonly<{ kind: StageKind; name: string; fromMs: number; untilMs: number }>;

type FailedAttempt = RequestTimeline['failed_attempts'][number];
type Timed = Pick<UsageDetail, 'ttft_ms' | 'duration_ms'> & Readonly<{ timeline: RequestTimeline }>;

/** One after another, without those that took less than a millisecond. */
export function stagesOf({ timeline, ttft_ms, duration_ms }: Timed): Stage[] {
  const { body_ms, admitted_ms, picked_ms, waited_ms, failed_attempts } = timeline;
  const stages: Stage[] = [];
  let at = 0;
  const add = (kind: StageKind, name: string, untilMs: number) => {
    // Each time is rounded, so that one stage may seem to end before the last one.
    const until = Math.min(Math.max(untilMs, at), duration_ms);
    if (until > at) stages.push({ kind, name, fromMs: at, untilMs: until });
    at = until;
  };
  const place = (untilMs: number) =>
    waited_ms === null
      ? add('pick', 'Picking a host', untilMs)
      : add('wait', 'Waiting for a host', untilMs);
  add('read', 'Reading the request', body_ms);
  add('admit', 'Admission', admitted_ms);
  for (const [nth, { after_ms, duration_ms: took }] of failed_attempts.entries()) {
    place(after_ms);
    const isRefused = isRefusedByEngine(timeline, nth);
    const isCut = ttft_ms !== null && nth === failed_attempts.length - 1 && isLastFailed(timeline);
    if (isCut) add('prompt', 'Until the first token', ttft_ms);
    const name = isCut ? 'Response, cut off' : `Attempt ${nth + 1}, failed`;
    add('failed', isRefused ? 'Refused' : name, after_ms + took);
  }
  if (picked_ms === null || isLastFailed(timeline)) {
    if (waited_ms !== null) place(duration_ms);
    return stages;
  }
  place(picked_ms);
  add(
    'prompt',
    ttft_ms === null ? 'No token came' : 'Until the first token',
    ttft_ms ?? duration_ms,
  );
  add('response', 'Response', duration_ms);
  return stages;
}

/** Whether the last attempt has failed, and so nothing follows it. */
export function isLastFailed({ picked_ms, failed_attempts }: RequestTimeline): boolean {
  const last = failed_attempts.at(-1);
  return last !== undefined && picked_ms !== null && last.after_ms >= picked_ms;
}

/** Whether a stream had begun when it failed, so that its client has a part of the response. */
export function isCutOff({ status, ttft_ms }: Pick<UsageDetail, 'status' | 'ttft_ms'>): boolean {
  return status >= 500 && ttft_ms !== null;
}

/** Whether the engine of the last attempt refused the request, which is no failure of the host. */
export function isRefusedByEngine(timeline: RequestTimeline, nth: number): boolean {
  const { failed_attempts } = timeline;
  const isLast = nth === failed_attempts.length - 1 && isLastFailed(timeline);
  const refusal = refusalOf(failed_attempts[nth]?.code ?? '');
  return isLast && refusal !== null && refusal.status < 500;
}

/** Null for a code that is newer than this dashboard. */
function refusalOf(code: string): Readonly<{ status: number; message: string }> | null {
  return Object.hasOwn(REFUSALS, code) ? REFUSALS[code as keyof typeof REFUSALS] : null;
}

/** What the timeline shows, in a sentence or two. */
export function storyOf({ timeline, ttft_ms }: Omit<Timed, 'duration_ms'>): string {
  const { waited_ms, picked_ms, failed_attempts } = timeline;
  const sentences: string[] = [];
  if (waited_ms !== null) {
    const found = picked_ms === null ? ', and none became free in time' : '';
    sentences.push(`All hosts were busy: it waited ${shownMs(waited_ms)} for one${found}.`);
  }
  const last = failed_attempts.length - 1;
  const isRefused = isRefusedByEngine(timeline, last);
  const isCut = isLastFailed(timeline) && !isRefused && ttft_ms !== null;
  const failed = isRefused || isCut ? last : last + 1;
  if (failed > 0) {
    const who = failed === 1 ? 'A host' : `${shownCount(failed)} hosts`;
    const isEnd = isLastFailed(timeline) && !isRefused && !isCut;
    const end = isEnd ? 'no other took over' : 'another took over';
    sentences.push(`${who} failed before the response began, and ${end}.`);
  }
  if (isCut) sentences.push('The response had begun when its host failed, and was cut off.');
  if (isRefused) sentences.push(failureText(timeline, last));
  if (sentences.length > 0) return sentences.join(' ');
  return picked_ms === null
    ? 'The request was sent to no host.'
    : 'The request was sent to a host without a wait.';
}

/**
 * Why an attempt failed, and what came of it: "The first host failed after 1.2 s; another took over."
 * `ttftMs`: null if the response had not begun.
 */
export function failureText(
  timeline: RequestTimeline,
  nth: number,
  ttftMs: number | null = null,
): string {
  const { failed_attempts } = timeline;
  const attempt = failed_attempts[nth];
  if (attempt === undefined) return '';
  if (isRefusedByEngine(timeline, nth)) return refusedText(attempt);
  const isLast = nth === failed_attempts.length - 1 && isLastFailed(timeline);
  const host = hostName(timeline, nth);
  const cause = causeText(attempt, host);
  if (!isLast) return `${cause}; another took over.`;
  return ttftMs === null
    ? `${cause}. No other host took over.`
    : `${cause}. The response had begun, so no other host could take over.`;
}

/** "The engine refused the request: " and what its sender was told. */
function refusedText({ code }: FailedAttempt): string {
  const message = refusalOf(code)?.message ?? code;
  return `The engine refused the request: ${message.charAt(0).toLowerCase()}${message.slice(1)}`;
}

function causeText({ code, duration_ms }: FailedAttempt, host: string): string {
  const took = shownMs(duration_ms);
  switch (code) {
    case 'worker_lost':
      return `The connection to ${host} was lost after ${took}`;
    case 'engine_failed':
      return `The inference engine of ${host} failed after ${took}`;
    case 'first_byte_timeout':
      return `${capital(host)} began no response within ${took}`;
    case 'idle_timeout':
      return `${capital(host)} stopped answering after ${took}`;
    case 'context_length_exceeded':
      return `The inference engine of ${host} has too short a context for the request`;
    default:
      return `${capital(host)} failed after ${took} (${code})`;
  }
}

const ORDINALS = ['first', 'second', 'third', 'fourth'];

/** "the first host", or "the host" if there was only one. */
function hostName(timeline: RequestTimeline, nth: number): string {
  const isOnly = timeline.failed_attempts.length === 1 && isLastFailed(timeline);
  return isOnly ? 'the host' : `the ${ORDINALS[nth] ?? 'next'} host`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
