import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { OrganizationId, RequestId } from '../../../shared/ids.ts';
import { PICO_PER_USD } from '../../../shared/money.ts';
import { claimOf } from '../../support/ledger-requests.ts';
import { Rig } from './rig.ts';

const CHILD = fileURLToPath(new URL('./kill-child.ts', import.meta.url));

/** The router's output before it was killed: the last line about each request, and its cost. */
type Said = Map<string, { last: 'S' | 'V' | 'F'; cost: bigint }>;

async function runAndKill(
  url: string,
  organizations: readonly OrganizationId[],
  settlements: number,
): Promise<Said> {
  const child: ChildProcess = spawn(process.execPath, [CHILD, url, ...organizations], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const said: Said = new Map();
  let rest = '';
  for await (const chunk of child.stdout ?? []) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const [what, request = '', cost] = line.split(' ');
      const before = said.get(request)?.cost ?? 0n;
      said.set(request, { last: what as 'S', cost: cost === undefined ? before : BigInt(cost) });
    }
    if (said.size >= settlements) child.kill('SIGKILL');
  }
  expect(await exited).toEqual([null, 'SIGKILL']);
  return said;
}

test('MONEY 12: killed with -9 in mid-load, thrice: no acknowledged charge is lost, and none is doubled', {
  timeout: 60_000,
}, async () => {
  await using rig = await Rig.start();
  const organizations = [
    await rig.organization(5n * PICO_PER_USD),
    await rig.organization(4n * PICO_PER_USD),
  ];
  await rig.closeStore();
  const said: Said = new Map();
  for (const settlements of [150, 1_500, 3_000]) {
    for (const [request, what] of await runAndKill(rig.place.url, organizations, settlements)) {
      said.set(request, what);
    }
  }
  // If it was killed between two batches it may have had no holds. Then try again.
  const holds = () => rig.sql('SELECT request FROM holds');
  for (let more = 0; more < 5 && (await holds()).length === 0; more++) {
    for (const [request, what] of await runAndKill(rig.place.url, organizations, 150)) {
      said.set(request, what);
    }
  }
  await rig.reopenStore();
  await rig.check();
  const rows = (await rig.sql('SELECT request, outcome, cost FROM usage')) as {
    request: RequestId;
    outcome: string;
    cost: bigint;
  }[];
  const stored = new Map(rows.map((row) => [row.request as string, row]));
  for (const [request, { last, cost }] of said) {
    const row = stored.get(request);
    if (last === 'S') expect(row).toMatchObject({ outcome: 'settled', cost });
    if (last === 'F') expect(row).toMatchObject({ outcome: 'voided', cost: 0n });
    // A void that was not acknowledged may or may not have happened.
    if (last === 'V') expect([0n, cost]).toContain(row?.cost);
  }
  // MONEY 27: each charge was stored with its claim, and each reversal removed it.
  const claims = await rig.sql('SELECT answer FROM idempotency_keys');
  const charged = rows.filter(
    ({ request, outcome }) => outcome === 'settled' && claimOf(request) !== null,
  );
  expect(charged.length).toBeGreaterThan(0);
  expect(new Set((claims as { answer: string }[]).map(({ answer }) => answer))).toEqual(
    new Set(charged.map(({ request }) => request)),
  );
  expect(said.size).toBeGreaterThan(4_000);

  // Promise 3: the holds of the dead routers are free again within twice the time to live.
  expect(await rig.sql('SELECT count(*) AS n FROM holds')).not.toEqual([{ n: 0n }]);
  await rig.pass(60_000, rig.ledger);
  expect(await rig.sql('SELECT count(*) AS n FROM holds')).toEqual([{ n: 0n }]);
  for (const organization of organizations) {
    expect(await rig.balance(organization)).toMatchObject({ held: 0n, reserve: 0n });
  }
});
