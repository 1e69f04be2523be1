/** How often the deliveries of an endpoint are fetched again. */
import { expect, test } from 'vitest';
import { deliveriesAgainMs, LIST_AGAIN_MS } from '../../../../router/dashboard/api/webhooks.ts';
import { DAY_MS, MINUTE_MS } from '../../../../shared/durations.ts';

const NOW = Date.UTC(2026, 10, 24);
const waiting = (inMs: number) =>
  ({ state: 'waiting', next_attempt: new Date(NOW + inMs).toISOString() }) as const;
const DELIVERED = { state: 'delivered', next_attempt: null } as const;

test.each([
  ['a new delivery, whose first attempt is due', [waiting(0), DELIVERED], 2_000],
  ['one that is sent again by hand', [DELIVERED, waiting(-1)], 2_000],
  ['one that failed and is repeated in five seconds', [waiting(5_000)], 2_000],
  ['one that waits for hours', [waiting(DAY_MS / 3), waiting(5 * MINUTE_MS)], LIST_AGAIN_MS],
  ['those that have ended', [DELIVERED, { state: 'failed', next_attempt: null }], LIST_AGAIN_MS],
  ['none', [], LIST_AGAIN_MS],
] as const)('a list with %s is fetched again in time, and no more often', (_, listed, ms) => {
  expect(deliveriesAgainMs(listed, NOW)).toBe(ms);
});
