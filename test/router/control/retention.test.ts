/**
 * Usage rows older than the configured retention are deleted in every organization, and the books
 * still balance.
 */
import { expect, test } from 'vitest';
import { forgetBefore, retentionTasks } from '../../../router/control/retention/task.ts';
import { usageFolds } from '../../../router/usage/rollups/fold-task.ts';
import { verifyLedger } from '../../../router/verify/verify.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { log } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const DAY_MS = 24 * 60 * 60 * 1000;
const OLD = 1_000;
const YOUNG = 2_000;

/** Creates an organization with free requests, `old` of them old and `young` of them recent. */
async function organization(old: number, young: number): Promise<string> {
  const { id } = (await rig.ask('POST', '/api/v1/organizations', { name: 'Lab' })).body;
  const rows = Array.from({ length: old + young }, (_, i) => {
    const seq = i + 1;
    return `('req_${id}_${seq}', '${id}', ${seq}, 'key_a', 'api', 'c${seq}', 'lab/model', 'global',
      'prc_a', 0, 0, 'reported', 0, 0, 80, 502, 0, 'voided', ${seq > old ? YOUNG : OLD})`;
  });
  await rig.place.sql(
    `insert into usage (request, organization, seq, key, source, completion_id, model, region,
       price, prompt_tokens, cached_tokens, cached_source, completion_tokens, reasoning_tokens,
       duration_ms, status, cost, outcome, created) values ${rows.join(', ')}`,
    `update accounts set usage_seq = ${rows.length} where id = '${id}'`,
  );
  // Rows are deleted only after they are folded into the analytics.
  await usageFolds({ store: rig.store, log, clock: new ManualClock(YOUNG) }).run();
  return id;
}

async function left(id: string): Promise<bigint> {
  const rows = await rig.place.sql(`select count(*) as n from usage where organization = '${id}'`);
  return (rows as [{ n: bigint }])[0].n;
}

test('what is old is gone from every organization, also from one with more than a slice', async () => {
  const [many, few, none] = [
    await organization(1_200, 3),
    await organization(2, 1),
    await organization(0, 4),
  ];
  await forgetBefore(rig.store, YOUNG);
  expect([await left(many), await left(few), await left(none)]).toEqual([3n, 1n, 4n]);
  const { differences } = await rig.store.call(verifyLedger, null);
  expect(differences).toEqual([]);
  // The list of requests begins with the oldest row that is left.
  const path = `/api/v1/organizations/${many}/usage`;
  expect((await rig.ask('GET', path)).body.data).toHaveLength(3);
});

test('it is the days of the configuration that count, and without any nothing is ever forgotten', async () => {
  const id = await organization(1, 1);
  const clock = new ManualClock(YOUNG + 62 * DAY_MS);
  expect(retentionTasks({ store: rig.store, clock }, { usageDays: null })).toEqual([]);
  for (const [usageDays, rows] of [
    [63, 2n],
    [62, 1n],
  ] as const) {
    for (const task of retentionTasks({ store: rig.store, clock }, { usageDays })) {
      await task.run();
    }
    expect(await left(id)).toBe(rows);
  }
});
