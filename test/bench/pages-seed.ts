/**
 * Fills the first organization of a stopped `penstock up` with a year of requests, as a history
 * that the product itself would have: keys, usage with its charges, a credit that covers them, and
 * all of it folded by the product's own folds.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { StoreUnavailable } from '../../router/store/errors.ts';
import { openStore } from '../../router/store/open-store.ts';
import { foldLedgerSlice } from '../../router/usage/ledger-days/fold.ts';
import { foldSlice } from '../../router/usage/rollups/fold.ts';
import { systemClock as clock } from '../../shared/clock.ts';
import { DAY_MS } from '../../shared/durations.ts';
import type { OrganizationId } from '../../shared/ids.ts';
import { makeLog } from '../../shared/log.ts';
import { type Direct, connect, keyName, seedUsage } from './usage-seed.ts';

const REGISTRY = new URL('../../router/procedures.ts', import.meta.url);
const KEYS = 50;
const PIECE = 200_000;
/** Larger slices than the product's, because nothing else uses the store meanwhile. */
const SLICE_ROWS = 10_000;
const SLICE_TRANSFERS = 50_000;
const RETRY_MS = 1_000;

type History = Readonly<{ organization: OrganizationId; requests: number }>;

export async function seedHistory(
  url: string,
  { organization, requests }: History,
  tell: (text: string) => void,
): Promise<void> {
  const db = await connect(url);
  try {
    const models = await db.rows(`select model, max(id) from prices group by model order by model`);
    const members = await db.rows(`select id from members where organization = '${organization}'`);
    const [account] = await db.rows(
      `select transfer_seq from accounts where id = '${organization}'`,
    );
    const until = clock.now();
    await seedUsage(
      url,
      {
        organization,
        requests,
        keys: KEYS,
        models: Array.from({ length: 10 }, (_, n) => {
          const [model, price] = models[n % models.length] as [string, string];
          return { id: model, price };
        }),
        members: members.map(([id]) => String(id)),
        from: until - 364 * DAY_MS,
        until,
      },
      tell,
    );
    await seedKeys(db, organization, String(members[0]?.[0]), until);
    await seedTransfers(db, { organization, requests }, Number(account?.[0]), tell);
    await db.settle();
  } finally {
    await db.close();
  }
  await foldAll(url, organization, tell);
}

async function seedKeys(db: Direct, organization: string, member: string, now: number) {
  for (let n = 0; n < KEYS; n++) {
    const id = keyName(n);
    await db.run(`
      insert into keys (id, organization, digest, name, label, state, member, source, created)
      values ('${id}', '${organization}', 'digest of ${id}', 'Key ${n}', 'sk-…${n}', 'active',
        '${member}', 'api', ${now})`);
  }
}

/**
 * A charge for each request that cost something, numbered without gaps, and one credit that covers
 * them, so that the balance stays as it was. `before`: the number of the last transfer.
 */
async function seedTransfers(
  db: Direct,
  { organization, requests }: History,
  before: number,
  tell: (text: string) => void,
): Promise<void> {
  for (let first = 1; first <= requests; first += PIECE) {
    const last = Math.min(requests, first + PIECE - 1);
    await db.run(`
      insert into transfers (id, organization, seq, debit, credit, amount, kind, reference, reason,
        created)
      select 'trf_' || substr(request, 5), organization, ${before} + seq - seq / 97,
        'customer:' || organization, 'platform:revenue', cost, 'usage', request, null, created
      from usage
      where organization = '${organization}' and seq between ${first} and ${last} and cost > 0`);
    tell(`charges of ${last} requests`);
  }
  const charges = requests - Math.floor(requests / 97);
  await db.run(`
    insert into transfers (id, organization, seq, debit, credit, amount, kind, reference, reason,
      created)
    select 'trf_bench_paid', organization, ${before + charges + 1}, 'platform:adjustments',
      'customer:' || organization, sum(amount), 'adjustment', 'bench', null, max(created)
    from transfers where organization = '${organization}' and kind = 'usage'
    group by organization`);
  await db.run(
    `update accounts set transfer_seq = ${before + charges + 1} where id = '${organization}'`,
  );
}

async function foldAll(
  url: string,
  organization: OrganizationId,
  tell: (text: string) => void,
): Promise<void> {
  const log = makeLog('bench', 'error');
  await using store = await openStore({ url, registry: REGISTRY }, { clock, log });
  for (let slices = 1; ; slices++) {
    const now = clock.now();
    const asked = { organization, now, rows: SLICE_ROWS };
    if ((await again(() => foldSlice(store, asked))) === 'nothing') break;
    tell(`folded ${slices * SLICE_ROWS} requests`);
  }
  for (let slices = 1; ; slices++) {
    const asked = { organization, transfers: SLICE_TRANSFERS };
    if ((await again(() => foldLedgerSlice(store, asked))) === 'nothing') break;
    tell(`folded ${slices * SLICE_TRANSFERS} charges`);
  }
}

/** Folds again, as a router does, when a slice took longer than the store may take for a call. */
async function again<Answer>(fold: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await fold();
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await pause(RETRY_MS);
    }
  }
}
