/** The charge of a request under an Idempotency-Key: once, on all routers. */
import { beforeAll, expect, test } from 'vitest';
import { type OpenLedger, openLedger } from '../../../router/ledger/ledger.ts';
import type { Claim } from '../../../router/ledger/terms.ts';
import { openStore } from '../../../router/store/open-store.ts';
import type { OrganizationId, RequestId } from '../../../shared/ids.ts';
import { DIALECT } from '../../support/store.ts';
import { REGISTRY } from './rig.ts';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const TOKENS = { prompt: 10, completion: 5 };
const CREDIT = 1_000_000n;

/** Another router, with its own store if the database allows more than one. */
let other: OpenLedger;
beforeAll(async () => {
  const undo = new AsyncDisposableStack();
  const url = { url: rig.place.url, registry: REGISTRY };
  const store = DIALECT === 'sqlite' ? rig.store : undo.use(await openStore(url, rig));
  other = undo.use(await openLedger({ ...rig.parts, store }, { url: null, regions: ['global'] }));
  return () => undo.disposeAsync();
});

let made = 0;
function newClaim(): Claim {
  made += 1;
  return { digest: `digest ${made}`, body: `body ${made}` };
}

function hold(organization: OrganizationId, claim: Claim, ledger = rig.ledger) {
  const reservation = rig.reservation(organization, 1_000n, { claim });
  return { request: reservation.request, answer: ledger.reserve(reservation) };
}

function settle(
  organization: OrganizationId,
  { request, claim }: { request: RequestId; claim: Claim },
  ledger = rig.ledger,
) {
  return ledger.settle(rig.usage(organization, request, TOKENS), rig.cost(TOKENS), { claim });
}

function reverse(organization: OrganizationId, request: RequestId, claim: Claim) {
  const usage = rig.usage(organization, request, { prompt: 0, completion: 0 });
  return rig.ledger.void({ ...usage, finishReason: null, status: 503, error: null }, 0, claim);
}

const outcomes = async (organization: OrganizationId) =>
  ((await rig.sql('SELECT organization, outcome FROM usage ORDER BY request')) as Row[])
    .filter((row) => row.organization === organization)
    .map(({ outcome }) => outcome);
type Row = Readonly<{ organization: string; outcome: string }>;

test('MONEY 27: once a key is charged, no router admits a request under it, and each names the first', async () => {
  const [organization, claim] = [await rig.organization(CREDIT), newClaim()];
  const first = hold(organization, claim);
  expect(await first.answer).toHaveProperty('held');
  expect(await settle(organization, { request: first.request, claim })).toHaveProperty('cost');
  const charged = { charged: first.request, body: claim.body };
  expect(await hold(organization, claim).answer).toEqual(charged);
  const foreign = { ...claim, body: 'another' };
  expect(await hold(organization, foreign, other).answer).toEqual(charged);
  expect((await rig.balance(organization)).held).toBe(0n);
});

test('MONEY 27: of two routers that answer under one key, the first to settle charges, and the other is free', async () => {
  const [organization, claim] = [await rig.organization(CREDIT), newClaim()];
  const [one, two] = [hold(organization, claim), hold(organization, claim, other)];
  expect(await one.answer).toHaveProperty('held');
  expect(await two.answer).toHaveProperty('held');
  const settled = await Promise.all([
    settle(organization, { request: one.request, claim }),
    settle(organization, { request: two.request, claim }, other),
  ]);
  expect(settled.filter((answer) => answer === 'repeated')).toHaveLength(1);
  expect((await outcomes(organization)).toSorted()).toEqual(['settled', 'voided']);
  expect((await rig.balance(organization)).balance).toBe(CREDIT - rig.cost(TOKENS));
  expect((await rig.balance(organization)).held).toBe(0n);
});

test('MONEY 14, 27: a settlement that is repeated under its own id finds its own charge', async () => {
  const [organization, claim] = [await rig.organization(CREDIT), newClaim()];
  const { request, answer } = hold(organization, claim);
  await answer;
  const once = await settle(organization, { request, claim });
  expect(await settle(organization, { request, claim })).toEqual(once);
  const late = hold(organization, newClaim());
  await late.answer;
  const taken = { request: late.request, claim };
  expect(await settle(organization, taken)).toBe('repeated');
  expect(await settle(organization, taken)).toBe('repeated');
});

test('MONEY 14, 27: a charge that is reversed gives its key up, and another void does not', async () => {
  const [organization, claim] = [await rig.organization(CREDIT), newClaim()];
  const [first, second] = [hold(organization, claim), hold(organization, claim, other)];
  await Promise.all([first.answer, second.answer]);
  await settle(organization, { request: first.request, claim });
  await reverse(organization, second.request, claim);
  expect(await hold(organization, claim).answer).toHaveProperty('charged', first.request);
  await reverse(organization, first.request, claim);
  const third = hold(organization, claim);
  expect(await third.answer).toHaveProperty('held');
  // In one batch: a charge that is reversed, and the next one under the same key.
  const fourth = hold(organization, claim);
  await fourth.answer;
  const ended = [
    settle(organization, { request: third.request, claim }),
    reverse(organization, third.request, claim),
    settle(organization, { request: fourth.request, claim }),
  ];
  expect((await Promise.all(ended)).at(-1)).toHaveProperty('cost');
  expect(await hold(organization, claim).answer).toHaveProperty('charged', fourth.request);
  expect((await rig.balance(organization)).balance).toBe(CREDIT - rig.cost(TOKENS));
});

test('MONEY 15, 27: of an honest repeat whose key was charged meanwhile only the answer is waived work', async () => {
  const [organization, claim] = [await rig.organization(CREDIT), newClaim()];
  const [first, second] = [hold(organization, claim), hold(organization, claim, other)];
  await Promise.all([first.answer, second.answer]);
  await settle(organization, { request: first.request, claim });
  const tokens = { prompt: 200_000, completion: 7 };
  const usage = rig.usage(organization, second.request, tokens);
  expect(await other.settle(usage, rig.cost(tokens), { claim })).toBe('repeated');
  expect(await rig.ledger.reserve(rig.reservation(organization, 1_000n))).toHaveProperty('held');
  const next = newClaim();
  const [third, fourth] = [hold(organization, next), hold(organization, next, other)];
  await Promise.all([third.answer, fourth.answer]);
  await settle(organization, { request: third.request, claim: next });
  const long = { prompt: 0, completion: 200_000 };
  const answered = rig.usage(organization, fourth.request, long);
  expect(await other.settle(answered, rig.cost(long), { claim: next })).toBe('repeated');
  const late = rig.ledger.reserve(rig.reservation(organization, 1_000n));
  expect(await late).toMatchObject({ limited: 'waived' });
});

test('MONEY 15, 27: a request that had its key from another body counts with its prompt, too', async () => {
  const [organization, claim] = [await rig.organization(CREDIT), newClaim()];
  const foreign = { ...claim, body: 'another' };
  const [first, second] = [hold(organization, claim), hold(organization, foreign, other)];
  await Promise.all([first.answer, second.answer]);
  await settle(organization, { request: first.request, claim });
  const tokens = { prompt: 200_000, completion: 1 };
  const usage = rig.usage(organization, second.request, tokens);
  expect(await other.settle(usage, rig.cost(tokens), { claim: foreign })).toBe('repeated');
  const next = rig.ledger.reserve(rig.reservation(organization, 1_000n));
  expect(await next).toMatchObject({ limited: 'waived' });
});

test('MONEY 27: a request that fails leaves its key to the next', async () => {
  const [organization, claim] = [await rig.organization(CREDIT), newClaim()];
  const first = hold(organization, claim);
  await first.answer;
  await reverse(organization, first.request, claim);
  const next = hold(organization, claim);
  expect(await next.answer).toHaveProperty('held');
  expect(await settle(organization, { request: next.request, claim })).toHaveProperty('cost');
});
