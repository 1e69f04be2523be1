/** The CSV of all requests, admitted and refused, and the order of its rows. */
import { beforeAll, expect, test } from 'vitest';
import { mergedPages } from '../../../router/control/requests/rows.ts';
import { RefusalRecorder } from '../../../router/usage/refusals/recorder.ts';
import type { RefusalEntry } from '../../../shared/api/refusals.ts';
import type { UsageEntry } from '../../../shared/api/usage.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { type KeyId, mintId, type OrganizationId, parseApiKey } from '../../../shared/ids.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { REFUSALS, type RefusalCode } from '../../../shared/refusals.ts';
import { log } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

/** What a spreadsheet would take for a formula. */
const FORMULA = '=cmd|calc';
let path: string;
let organization: OrganizationId;
let key: KeyId;

beforeAll(async () => {
  organization = rig.first.organization.id;
  path = `/api/v1/organizations/${organization}/requests/csv`;
  key = parseApiKey(rig.first.apiKey) as KeyId;
  await using recorder = new RefusalRecorder({ store: rig.store, clock, random, log });
  for (const [code, model] of [
    ['model_not_found', FORMULA],
    ['no_worker', 'lab/model'],
  ] as const) {
    recorder.note(refusal(code, model));
  }
});

function refusal(code: RefusalCode, model: string) {
  const { message, status } = REFUSALS[code];
  const request = mintId('request', clock, random);
  const what = { endpoint: '/v1/chat/completions', model, param: null, message, status, code };
  return { request, organization, key, region: 'global', created: clock.now(), ...what };
}

async function download(url: string) {
  const headers = { authorization: `Bearer ${rig.first.operator.token}` };
  const response = await fetch(rig.origin + url, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function linesOf(query: string): Promise<string[]> {
  const { status, text, headers } = await download(`${path}?${query}`);
  expect(status, text).toBe(200);
  expect(headers.get('content-disposition')).toBe('attachment; filename="requests.csv"');
  return text.trim().split('\r\n').slice(1);
}

test('the CSV has refused requests, narrowed as the page is, and no formulas', async () => {
  const all = await linesOf('');
  expect(all).toHaveLength(2);
  expect(all.find((line) => line.includes('model_not_found'))).toContain(`'${FORMULA}`);
  expect(all.every((line) => line.includes(',refused,'))).toBe(true);
  expect(await linesOf('status=refused&code=no_worker')).toHaveLength(1);
  expect(await linesOf('status=5xx')).toHaveLength(1);
  expect(await linesOf('status=2xx')).toEqual([]);
  expect(await linesOf('source=api')).toEqual([]);
  expect(await linesOf('code=engine_failed&code=unknown_code')).toEqual([]);
  expect(await linesOf('start=2026-01-01&end=2026-01-02')).toEqual([]);
});

test('another status, and an organization that does not exist, are refused', async () => {
  expect((await rig.ask('GET', `${path}?status=3xx`)).status).toBe(400);
  const unknown = `/api/v1/organizations/${mintId('organization', clock, random)}/requests/csv`;
  expect((await rig.ask('GET', unknown)).status).toBe(404);
});

const admitted = (second: number, duration_ms = 0) =>
  ({ created: new Date(second * 1_000).toISOString(), duration_ms }) as UsageEntry;
const refused = (second: number) =>
  ({ created: new Date(second * 1_000).toISOString() }) as RefusalEntry;

async function* pages<Row>(...all: Row[][]): AsyncGenerator<Row[]> {
  yield* all;
}

test('both kinds are one list in the order in which they ended, up to the most rows', async () => {
  const merged = async (most: number) => {
    const usage = pages([admitted(1, 8_000), admitted(6)], [], [admitted(4)]);
    const found: number[] = [];
    for await (const page of mergedPages(usage, pages([refused(7), refused(5)]), most)) {
      found.push(...page.map(({ at }) => at / 1_000));
    }
    return found;
  };
  expect(await merged(10)).toEqual([9, 7, 6, 5, 4]);
  expect(await merged(3)).toEqual([9, 7, 6]);
});
