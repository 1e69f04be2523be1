import { expect, test } from 'vitest';
import { eventsOf } from '../../../../router/dashboard/pages/usage/events.ts';
import {
  failureText,
  isCutOff,
  stagesOf,
  storyOf,
} from '../../../../router/dashboard/pages/usage/stages.ts';

const PLAIN = {
  body_ms: 3,
  admitted_ms: 5,
  picked_ms: 5,
  waited_ms: null,
  failed_attempts: [],
};
const lost = { code: 'worker_lost', after_ms: 5, duration_ms: 1_200 };

function partsOf(
  timeline: Parameters<typeof storyOf>[0]['timeline'],
  ttft_ms: number | null,
  end: number,
) {
  const stages = stagesOf({ timeline, ttft_ms, duration_ms: end });
  return stages.map(({ kind, fromMs, untilMs }) => [kind, fromMs, untilMs]);
}

test('a request that a host takes at once is read, admitted and answered', () => {
  expect(partsOf(PLAIN, 160, 700)).toEqual([
    ['read', 0, 3],
    ['admit', 3, 5],
    ['prompt', 5, 160],
    ['response', 160, 700],
  ]);
  const story = storyOf({ timeline: PLAIN, ttft_ms: null });
  expect(story).toBe('The request was sent to a host without a wait.');
});

test('a wait stands before the host that ended it', () => {
  const waited = { ...PLAIN, picked_ms: 1_505, waited_ms: 1_500 };
  expect(partsOf(waited, 1_600, 1_700)).toContainEqual(['wait', 5, 1_505]);
  expect(storyOf({ timeline: waited, ttft_ms: null })).toBe(
    'All hosts were busy: it waited 1.50 s for one.',
  );
  const inVain = { ...PLAIN, picked_ms: null, waited_ms: 5_000 };
  expect(partsOf(inVain, null, 5_005).at(-1)).toEqual(['wait', 5, 5_005]);
  expect(storyOf({ timeline: inVain, ttft_ms: null })).toContain('none became free in time');
});

test('a failed attempt is told with its reason, how long it took, and what followed', () => {
  const failover = { ...PLAIN, picked_ms: 1_205, failed_attempts: [lost] };
  expect(partsOf(failover, 1_300, 1_400)).toEqual([
    ['read', 0, 3],
    ['admit', 3, 5],
    ['failed', 5, 1_205],
    ['prompt', 1_205, 1_300],
    ['response', 1_300, 1_400],
  ]);
  expect(failureText(failover, 0)).toBe(
    'The connection to the first host was lost after 1.20 s; another took over.',
  );
  expect(storyOf({ timeline: failover, ttft_ms: null })).toBe(
    'A host failed before the response began, and another took over.',
  );
});

test('when the last attempt fails, no other host took over', () => {
  const again = { code: 'engine_failed', after_ms: 1_206, duration_ms: 30 };
  const dead = { ...PLAIN, picked_ms: 1_206, failed_attempts: [lost, again] };
  expect(partsOf(dead, null, 1_240)).toEqual([
    ['read', 0, 3],
    ['admit', 3, 5],
    ['failed', 5, 1_205],
    ['pick', 1_205, 1_206],
    ['failed', 1_206, 1_236],
  ]);
  expect(failureText(dead, 1)).toBe(
    'The inference engine of the second host failed after 30 ms. No other host took over.',
  );
  const only = { ...PLAIN, failed_attempts: [lost] };
  expect(failureText(only, 0)).toBe(
    'The connection to the host was lost after 1.20 s. No other host took over.',
  );
});

test('rounded times never make a stage that ends before it begins', () => {
  const odd = { ...PLAIN, body_ms: 6, admitted_ms: 5, picked_ms: 5 };
  expect(partsOf(odd, 4, 7)).toEqual([
    ['read', 0, 6],
    ['response', 6, 7],
  ]);
});

const FAILED = { status: 502, finish_reason: null, error: 'engine_failed', duration_ms: 700 };

test('a stream that failed after its first token was cut off, and its client has a part of it', () => {
  const timeline = {
    ...PLAIN,
    failed_attempts: [{ code: 'engine_failed', after_ms: 5, duration_ms: 695 }],
  };
  const detail = { ...FAILED, ttft_ms: 300, timeline };
  expect(isCutOff(detail)).toBe(true);
  expect(isCutOff({ ...detail, ttft_ms: null })).toBe(false);
  expect(isCutOff({ ...detail, status: 200 })).toBe(false);
  expect(partsOf(timeline, 300, 700)).toEqual([
    ['read', 0, 3],
    ['admit', 3, 5],
    ['prompt', 5, 300],
    ['failed', 300, 700],
  ]);
  expect(storyOf(detail)).toBe('The response had begun when its host failed, and was cut off.');
  expect(storyOf({ ...detail, ttft_ms: null })).toContain('failed before the response began');
  const events = eventsOf(detail, timeline);
  expect(events.map(({ name, afterMs }) => [name, afterMs])).toEqual([
    ['Read', 3],
    ['Admitted', 5],
    ['First token', 300],
    ['Attempt 1 failed', 700],
    ['Ended', 700],
  ]);
  expect(events.find(({ look }) => look === 'failed')?.note).toBe(
    'The inference engine of the host failed after 695 ms. The response had begun, so no other host could take over.',
  );
});

test('events are in the order of time, and an attempt ends before the next one begins', () => {
  const timeline = { ...PLAIN, picked_ms: 1_204, failed_attempts: [lost] };
  const detail = {
    ...FAILED,
    status: 200,
    error: null,
    ttft_ms: 1_204,
    duration_ms: 1_400,
    timeline,
  };
  expect(eventsOf(detail, timeline).map(({ name, afterMs }) => [name, afterMs])).toEqual([
    ['Read', 3],
    ['Admitted', 5],
    ['Attempt 1 failed', 1_204],
    ['Host picked', 1_204],
    ['First token', 1_204],
    ['Ended', 1_400],
  ]);
});

test('a request that the engine refuses is no failure of a host', () => {
  const refusal = { code: 'context_length_exceeded', after_ms: 5, duration_ms: 20 };
  const refused = { ...PLAIN, failed_attempts: [refusal] };
  const told =
    'The engine refused the request: prompt and response together exceed the context length of the model.';
  expect(storyOf({ timeline: refused, ttft_ms: null })).toBe(told);
  expect(failureText(refused, 0)).toBe(told);
  const detail = { ...FAILED, status: 400, error: refusal.code, ttft_ms: null, timeline: refused };
  expect(eventsOf(detail, refused).map(({ name }) => name)).toContain('Refused by the engine');
  expect(eventsOf(detail, refused).flatMap(({ look }) => look ?? [])).toEqual([
    'refused',
    'refused',
  ]);
  const second = {
    ...PLAIN,
    picked_ms: 1_205,
    failed_attempts: [lost, { ...refusal, after_ms: 1_205 }],
  };
  expect(storyOf({ timeline: second, ttft_ms: null })).toBe(
    `A host failed before the response began, and another took over. ${told}`,
  );
});
