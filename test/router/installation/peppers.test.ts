/**
 * A new pepper replaces another: existing secrets keep working, and move to the newest pepper when
 * they are used.
 */
import { randomBytes } from 'node:crypto';
import { TOTP } from 'otpauth';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { authenticate } from '../../../router/control/access/authenticate.ts';
import { digestAgain, digestIn } from '../../../router/control/access/digests.ts';
import { bootstrap, type FirstRun } from '../../../router/control/bootstrap.ts';
import {
  decryptContents,
  decryptTitle,
  encryptChat,
} from '../../../router/control/chats/encryption.ts';
import {
  mintRecoveryCodes,
  mintTotp,
  recoveryDigest,
  stepOf,
} from '../../../router/control/people/second-factor.ts';
import { mintWebhookSecret, openWebhookSecret } from '../../../router/control/webhooks/secrets.ts';
import { countPepperUse } from '../../../router/installation/pepper-procedures.ts';
import { sealAllAgain } from '../../../router/installation/pepper-use.ts';
import { ledgerKey } from './ledger-key.ts';
import { Callers } from '../../../router/request/authenticate.ts';
import { openStore } from '../../../router/store/open-store.ts';
import type { Store } from '../../../router/store/store.ts';
import { systemClock as clock } from '../../../shared/clock.ts';
import { mintId, type PersonId } from '../../../shared/ids.ts';
import { makeLog } from '../../../shared/log.ts';
import { digestsOf, makePepper, onePepper, type Peppers } from '../../../shared/peppers.ts';
import { systemRandom as random } from '../../../shared/random.ts';
import { makeStorePlace, type StorePlace } from '../../support/store.ts';

const REGISTRY = new URL('../../../router/procedures.ts', import.meta.url);
const older = onePepper(randomBytes(32));
const newest = makePepper(randomBytes(32), true);
const both: Peppers = { newest, all: [newest, older.newest] };
const newOnly: Peppers = { newest, all: [newest] };

let undo: AsyncDisposableStack;
let place: StorePlace;
let store: Store;
let first: FirstRun;
beforeEach(async () => {
  undo = new AsyncDisposableStack();
  place = undo.use(await makeStorePlace());
  const log = makeLog('test', 'silent');
  store = undo.use(await openStore({ url: place.url, registry: REGISTRY }, { clock, log }));
  first = (await bootstrap(store, { pepper: older, brand: 'test', clock, random })) as FirstRun;
});
afterEach(() => undo.disposeAsync());

const asOperator = (pepper: Peppers) =>
  authenticate(
    { store, pepper, clock, secure: false },
    { authorization: `Bearer ${first.operator.token}` },
    null,
  ).then(
    ({ caller }) => caller.kind,
    (error: Error) => error.message,
  );

async function useOf(table: string): Promise<Record<string, number>> {
  const uses = await store.call(countPepperUse, both.all);
  const tags = { [newest.tag]: 'newest', [older.newest.tag]: 'older' };
  const own = uses.filter((use) => use.table === table);
  return Object.fromEntries(own.map(({ tag, rows }) => [tags[tag], rows]));
}

test('an operator token works under a newer pepper, and from then on without the older one', async () => {
  expect(await asOperator(newOnly)).toMatch(/invalid|token/i);
  expect(await useOf('operator_tokens')).toEqual({ newest: 0, older: 1 });
  expect(await asOperator(both)).toBe('operator-token');
  expect(await useOf('operator_tokens')).toEqual({ newest: 1, older: 0 });
  expect(await asOperator(newOnly)).toBe('operator-token');
});

function callersUnder(pepper: Peppers) {
  const asked: string[] = [];
  const again: Promise<unknown>[] = [];
  const callers = new Callers({
    findKey: (digest) => {
      asked.push(digest);
      return ledgerKey(place, digest);
    },
    digestAgain: (from, to) => {
      again.push(store.call(digestAgain, { table: 'keys', from, to }));
    },
    pepper,
    saltSecret: randomBytes(32),
    limits: () => ({ organization: NONE, key: NONE }),
    clock,
  });
  undo.defer(() => callers.close());
  const ask = () => callers.authenticate(`Bearer ${first.apiKey}`, 'global');
  return { ask, asked, again };
}
const NONE = { requestsPerMinute: null, tokensPerMinute: null, concurrentRequests: null };

test('an API key works under a newer pepper at once, is cached, and is digested again', async () => {
  const { ask, asked, again } = callersUnder(both);
  expect(await ask()).toMatchObject({ organization: first.organization.id });
  expect(asked).toEqual(digestsOf(both, first.apiKey));
  expect(await ask()).toMatchObject({ organization: first.organization.id });
  expect(asked).toHaveLength(2);
  await Promise.all(again);
  expect(await useOf('keys')).toEqual({ newest: 1, older: 0 });
  const later = callersUnder(newOnly);
  expect(await later.ask()).toMatchObject({ organization: first.organization.id });
  expect(later.asked).toHaveLength(1);
});

test('with one pepper a key that nobody knows is looked for once', async () => {
  const { ask, asked } = callersUnder(newOnly);
  expect(await ask()).toMatchObject({ code: 'invalid_api_key' });
  expect(asked).toHaveLength(1);
});

test('second factors are sealed under the newest pepper without their people, and recovery codes found', async () => {
  const [row] = (await place.sql("SELECT id FROM people WHERE email <> ''")) as [{ id: PersonId }];
  const { id } = row;
  const parts = { pepper: older, brand: 'test', clock, random };
  const { secret, sealed } = mintTotp(parts, { id, email: 'a@example.com' });
  const { codes, digests } = mintRecoveryCodes(parts, id);
  await place.sql(
    `UPDATE people SET totp_secret = '${sealed}' WHERE id = '${id}'`,
    `INSERT INTO recovery_codes (digest, person) VALUES ('${digests[0]}', '${id}')`,
  );
  expect(await useOf('people')).toEqual({ newest: 0, older: 1 });
  await sealAllAgain(store, { pepper: both, random, log: makeLog('test', 'silent') });
  expect(await useOf('people')).toEqual({ newest: 1, older: 0 });
  const [after] = (await place.sql(
    `SELECT totp_secret AS sealed FROM people WHERE id = '${id}'`,
  )) as [{ sealed: string }];
  const code = new TOTP({ secret }).generate({ timestamp: clock.now() });
  expect(stepOf({ pepper: newOnly, clock }, { id, sealed: after.sealed }, code)).not.toBeNull();
  expect(await recoveryDigest({ store, pepper: both }, id, codes[0] ?? '')).toBe(digests[0]);
});

test('the secrets of webhooks are sealed under the newest pepper, and sign as before', async () => {
  const id = mintId('webhook', clock, random);
  const [now, former] = [1, 2].map(() => mintWebhookSecret({ pepper: older, random }, id));
  await place.sql(
    `INSERT INTO webhook_endpoints
       (id, organization, url, events, secret, former_secret, former_until, active, created,
        turn)
     VALUES ('${id}', '${first.organization.id}', 'https://example.com/', 'balance.low',
       '${now?.sealed}', '${former?.sealed}', ${clock.now()}, 1, ${clock.now()},
       ${clock.now()})`,
  );
  expect(await useOf('webhook_endpoints')).toEqual({ newest: 0, older: 2 });
  await sealAllAgain(store, { pepper: both, random, log: makeLog('test', 'silent') });
  expect(await useOf('webhook_endpoints')).toEqual({ newest: 2, older: 0 });
  const [row] = (await place.sql(
    `SELECT secret, former_secret FROM webhook_endpoints WHERE id = '${id}'`,
  )) as [{ secret: string; former_secret: string }];
  const opened = [row.secret, row.former_secret].map(
    (sealed) => `whsec_${Buffer.from(openWebhookSecret(newOnly, id, sealed)).toString('base64')}`,
  );
  expect(opened).toEqual([now?.secret, former?.secret]);
});

test('the keys of chats are sealed under the newest pepper, and the chats stay as they are', async () => {
  const id = mintId('chat', clock, random);
  const chat = { title: 'Herons', contents: Buffer.from('compressed') };
  const owner = {
    organization: first.organization.id,
    person: mintId('person', clock, random),
  };
  const sealed = encryptChat({ pepper: older, random }, { ...owner, chat: id }, chat);
  const { sealed_key, title, contents } = sealed;
  const member = `mem_${'0'.repeat(26)}`;
  await place.sql(
    `INSERT INTO members (id, organization, person, role, created)
     VALUES ('${member}', '${first.organization.id}', 'per_${'0'.repeat(26)}', 'developer', 1)`,
    `INSERT INTO chats (id, member, sealed_key, title, version, bytes, created, changed, contents)
     VALUES ('${id}', '${member}', '${sealed_key}', '', 1, 10, 1, 1, '')`,
  );
  expect(await useOf('chats')).toEqual({ newest: 0, older: 1 });
  await sealAllAgain(store, { pepper: both, random, log: makeLog('test', 'silent') });
  expect(await useOf('chats')).toEqual({ newest: 1, older: 0 });
  const [row] = (await place.sql(`SELECT sealed_key FROM chats WHERE id = '${id}'`)) as [
    { sealed_key: string },
  ];
  const stored = { id, ...row, title, contents };
  expect(decryptTitle(newOnly, owner, stored)).toBe('Herons');
  expect(decryptContents(newOnly, owner, stored).toString()).toBe('compressed');
  const other = { ...stored, id: mintId('chat', clock, random) };
  expect(() => decryptContents(newOnly, owner, other)).toThrow();
});

test('a secret that is nowhere is looked for under the newest pepper', async () => {
  const wanted = await digestIn({ store, pepper: both }, 'links', 'nobody knows this');
  expect(wanted.startsWith(`${newest.tag}.`)).toBe(true);
});
