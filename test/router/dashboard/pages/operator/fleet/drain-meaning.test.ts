/** What the dialogs say before a drain, its end, and a revocation. */
import { expect, test } from 'vitest';
import {
  drainMeans,
  undrainMeans,
} from '../../../../../../router/dashboard/pages/operator/fleet/drain-meaning.ts';

const LASTS = 'The drain lasts until you end it, or until';

test('a drain says what becomes of the requests that run now', () => {
  expect(drainMeans('worker', 0)).toBe(
    `The worker gets no new requests. No request runs on it now. ${LASTS} its agent is started again.`,
  );
  expect(drainMeans('host', 1)).toBe(
    `The host gets no new requests. The request that runs on it is answered to its end. ${LASTS} its agent is started again.`,
  );
  expect(drainMeans('hosts', 1_200)).toBe(
    `The hosts get no new requests. The 1,200 requests that run on them are answered to their ends. ${LASTS} their agents are started again.`,
  );
  expect(drainMeans('host', null)).toContain('Requests that run on it are answered to their ends.');
});

test('the end of a drain says when requests arrive again', () => {
  expect(undrainMeans('worker')).toBe(
    'The worker gets new requests again as soon as its engine is ready.',
  );
  expect(undrainMeans('hosts')).toBe(
    'The hosts get new requests again as soon as the engines are ready.',
  );
});
