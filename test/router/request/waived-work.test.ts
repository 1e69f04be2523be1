import { expect, test } from 'vitest';
import type { OrganizationId } from '../../../shared/ids.ts';
import { WaivedWork } from '../../../router/request/waived-work.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { estimate, RequestRig } from './rig.ts';

const [one, other] = ['org_one', 'org_other'] as OrganizationId[] as [
  OrganizationId,
  OrganizationId,
];

test('MONEY 15: what an organization may have waived in a minute is limited, and nobody else’s', () => {
  const clock = new ManualClock();
  const waived = new WaivedWork(clock);
  waived.add(one, 199_999);
  expect(waived.retryAfterS(one)).toBeNull();
  clock.advance(20_000);
  waived.add(one, 1);
  expect(waived.retryAfterS(one)).toBe(40);
  expect(waived.retryAfterS(other)).toBeNull();
  clock.advance(39_500);
  expect(waived.retryAfterS(one)).toBe(1);
  clock.advance(500);
  expect(waived.retryAfterS(one)).toBeNull();
});

test('MONEY 15: leaving just before the first token does not buy prefill for nothing, again and again', async () => {
  await using rig = await RequestRig.start();
  const customer = await rig.customer(10n ** 12n);
  const fields = { messages: [{ role: 'user', content: 'word '.repeat(20_000) }] };
  const free = Math.ceil(200_000 / estimate(fields));
  for (let request = 1; request <= free; request++) {
    const { stream, leave } = await rig.begin(customer, fields);
    leave();
    await stream.cancelled();
    stream.stop(0, 0);
    await rig.ended();
  }
  const refused = await rig.post(customer, fields);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  await refused.text();
  expect(await rig.rows(customer.organization)).toHaveLength(free);
});
