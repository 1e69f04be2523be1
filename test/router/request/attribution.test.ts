/** Usage is attributed to the member and the source of the request's key. */
import { expect, test } from 'vitest';
import { mintKey } from '../../../router/control/keys/mint.ts';
import { insertKey } from '../../../router/identity/keys.ts';
import type { MemberId } from '../../../shared/ids.ts';
import { estimate, PEPPER } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

test.each([
  ['playground', 'mem_1' as MemberId],
  ['api', 'mem_2' as MemberId],
  ['api', null],
] as const)('a key of source %s that is of member %s', async (source, member) => {
  const { organization } = await rig.customer(5_000_000_000_000n);
  const { clock, random, store } = rig.books;
  const parts = { pepper: PEPPER, brand: 'penstock', clock, random };
  const { value, row } = mintKey(parts, { organization, name: 'x', member, source });
  await store.call(insertKey, row);
  const { stream, seen } = await rig.begin({ organization, key: row.id, value });
  stream.content(estimate(), 2);
  stream.finish(estimate(), 2);
  await seen;
  const [usage] = await rig.rows(organization);
  expect(usage).toMatchObject({ key: row.id, member, source, status: 200 });
  expect(usage?.cost).toBeGreaterThan(0n);
});
