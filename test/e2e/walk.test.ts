/**
 * A new customer's whole way through the API of a real `penstock up`: signs up, invites, creates a
 * key, spends, runs out of credit, pays, is recharged, revokes, and finds every request in the
 * books. One walk pays at the built-in sandbox. The other pays at a stand-in for Stripe, called
 * through Stripe's own library, that delivers every event twice, late and out of order.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { formatUsd, parseUsd } from '../../shared/money.ts';
import { letterTo, tokenOf } from '../browser/letters.ts';
import { STRIPE_SECRETS, StripeStandIn } from '../support/stripe-stand-in.ts';
import { Up, until } from '../support/up.ts';
import { Visitor } from '../support/visitor.ts';

const MODEL = 'qwen/qwen3-235b-a22b-instruct-2507';
const PASSWORD = 'three blue herons at dawn';

const PRICES = ['--prompt', '0.0001', '--completion', '0.01', '--input-cache-read', '0.0001'];

/** The payment page of a walk. */
interface Checkout extends AsyncDisposable {
  readonly flags: readonly string[];
  /** Called when the service is running. */
  serving(origin: string): void;
  pay(visitor: Visitor, url: string): Promise<void>;
  /** Delivers all outstanding payment events. */
  settle(): Promise<void>;
}

const CHECKOUTS: Readonly<Record<string, () => Promise<Checkout>>> = {
  async sandbox() {
    return {
      flags: [],
      serving() {},
      async pay(visitor, url) {
        const page = await visitor.open(url);
        expect(page.text).toContain('No money moves');
        const paid = await visitor.submit(page, url, { card: '4242 4242 4242 4242' });
        expect(paid.status).toBe(303);
      },
      async settle() {},
      async [Symbol.asyncDispose]() {},
    };
  },

  async stripe() {
    const folder = await mkdtemp(join(tmpdir(), 'penstock-walk-'));
    const stripe = await StripeStandIn.start();
    const secret = () => randomBytes(32).toString('base64');
    const secrets = join(folder, 'secrets.json');
    const kept = { pepper: secret(), cacheSalt: secret(), stripe: STRIPE_SECRETS };
    await writeFile(secrets, JSON.stringify(kept));
    const settings = join(folder, 'router.yaml');
    const payments = { provider: 'stripe', stripe: stripe.at };
    await writeFile(settings, stringify({ secrets, payments }));
    const settle = async () => {
      // Newest first, and each event twice.
      for (const event of stripe.events().toReversed()) {
        for (let time = 0; time < 2; time++) await stripe.deliver(event);
      }
    };
    return {
      flags: ['--settings', settings],
      serving: (origin) => stripe.tellTo(`${origin}/api/v1/webhooks/stripe`),
      async pay(_visitor, url) {
        const card = new URLSearchParams({ card: '4242424242424242' });
        await fetch(url, { method: 'POST', body: card, redirect: 'manual' });
        await settle();
      },
      settle,
      async [Symbol.asyncDispose]() {
        await stripe[Symbol.asyncDispose]();
        await rm(folder, { recursive: true });
      },
    };
  },
};

describe.each(Object.entries(CHECKOUTS))(
  'a new customer who pays at the %s',
  (_name, openCheckout) => {
    let checkout: Checkout;
    let up: Up;
    let ada: Visitor;
    let bob: Visitor;
    /** The path of Ada's organization, and the credentials that Bob is given. */
    let path: string;
    let organization: string;
    let baseUrl: string;
    let key: { id: string; key: string };
    beforeAll(async () => {
      checkout = await openCheckout();
      up = await Up.start(checkout.flags);
      checkout.serving(up.origin);
      ada = new Visitor(up.origin);
      bob = new Visitor(up.origin);
    }, 120_000);
    afterAll(async () => {
      await up[Symbol.asyncDispose]();
      await checkout[Symbol.asyncDispose]();
    });

    function ask(maxTokens = 20): Promise<Response> {
      return fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model: MODEL,
          max_tokens: maxTokens,
          messages: [{ role: 'user', content: 'Tell me a long story.' }],
        }),
      });
    }

    async function balance(): Promise<number> {
      return Number((await ada.get(`${path}/credit`)).body.balance);
    }

    test('signs up, confirms the address, and has an organization with five dollars', async () => {
      const email = 'ada@example.com';
      const made = await ada.post('/sign-up', {
        email,
        password: PASSWORD,
        name: 'Ada',
        organization: 'Engines',
      });
      expect(made.status).toBe(201);
      const me = await ada.get('/me');
      expect(me.body).toMatchObject({
        email,
        organizations: [{ name: 'Engines', role: 'org-admin' }],
      });
      organization = me.body.organizations[0].id;
      path = `/organizations/${organization}`;
      expect(await balance()).toBe(0);
      const token = tokenOf(await letterTo(up, email, '/confirm'));
      expect((await ada.post('/email-confirm', { token })).status).toBe(200);
      expect(await balance()).toBe(5);
      baseUrl = (await ada.get(path)).body.base_url;
      expect(baseUrl).toBe(up.ready.base_url);
    });

    test('invites somebody, who joins and may do what a developer may', async () => {
      const invited = await ada.post(`${path}/invitations`, { email: 'bob@example.com' });
      expect(invited.status).toBe(201);
      const invitation = new URL(invited.body.url).hash.replace('#token=', '');
      const joined = await bob.post('/sign-up', {
        email: 'bob@example.com',
        password: PASSWORD,
        name: 'Bob',
        invitation,
      });
      expect(joined.status).toBe(201);
      expect((await bob.get('/me')).body.organizations).toMatchObject([
        { id: organization, role: 'developer' },
      ]);
      expect((await bob.post(`${path}/payments`, { amount: '20' })).status).toBe(403);
      const made = await bob.post(`${path}/keys`, { name: "Bob's agent" });
      expect(made.status).toBe(201);
      key = made.body;
    });

    test('calls the data plane, and every token of it stands in the usage', async () => {
      const answer = await ask();
      expect(answer.status).toBe(200);
      const { usage } = (await answer.json()) as { usage: { completion_tokens: number } };
      const { body } = await ada.get(`${path}/usage`);
      expect(body.data).toMatchObject([
        {
          request_id: answer.headers.get('x-request-id'),
          key_name: "Bob's agent",
          completion_tokens: usage.completion_tokens,
        },
      ]);
    });

    test('runs out of credit, and is refused with 402', async () => {
      // A price at which a few answers use up the welcome credit.
      await up.admin('rate', 'set', '--organization', organization, '--model', MODEL, ...PRICES);
      await until(async () => (await ask(100)).status === 402, 'credit that runs out');
      expect(await balance()).toBeLessThan(1.5);
    });

    test('tops up at the checkout, and is served again', async () => {
      const before = await balance();
      const begun = await ada.post(`${path}/payments`, { amount: '20', keep_method: true });
      expect(begun.status).toBe(201);
      await checkout.pay(ada, begun.body.checkout_url);
      expect(await balance()).toBe(before + 20);
      expect((await ask(1)).status).toBe(200);
      const payment = await ada.get(`${path}/payments/${begun.body.payment.id}`);
      expect(payment.body).toMatchObject({ state: 'succeeded', paid: '20', receipt: 'REC-000001' });
    });

    test('is recharged once when the balance falls below the threshold', async () => {
      const threshold = formatUsd(parseUsd(String(Math.floor(await balance()))) ?? 0n);
      const set = { enabled: true, threshold, amount: '30', monthly_cap: '60' };
      expect((await ada.ask('PUT', `${path}/recharge`, set)).status).toBe(200);
      const recharges = async () =>
        (await ada.get(`${path}/payments`)).body.data.filter(
          ({ purpose }: { purpose: string }) => purpose === 'recharge',
        );
      while ((await recharges()).length === 0) expect((await ask(100)).status).toBe(200);
      await until(async () => {
        await checkout.settle();
        return (await recharges())[0]?.state === 'succeeded';
      }, 'a recharge');
      // After a few runs of the scheduled tasks there is still only one recharge.
      await pause(12_000);
      await checkout.settle();
      expect(await recharges()).toMatchObject([{ state: 'succeeded', paid: '30' }]);
    }, 60_000);

    test('revokes the key and deletes it, and its usage stays under its name', async () => {
      const revoked = await bob.post(`${path}/keys/${key.id}/revoke`);
      expect(revoked.body).toMatchObject({ state: 'revoked' });
      expect((await ask(1)).status).toBe(401);
      expect((await bob.ask('DELETE', `${path}/keys/${key.id}`)).status).toBe(200);
      expect((await bob.get(`${path}/keys`)).body.data).toEqual([]);
      const { body } = await ada.get(`${path}/usage?limit=1000`);
      const names = body.data.map(({ key_name }: { key_name: string }) => key_name);
      expect(new Set(names)).toEqual(new Set(["Bob's agent"]));
    });

    test('exports usage as CSV whose sums are those of the ledger', async () => {
      const csv = await ada.get(`${path}/usage?format=csv`);
      expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
      const [head = '', ...lines] = csv.text.trim().split('\r\n');
      const at = head.split(',').indexOf('cost');
      const sum = lines.reduce(
        (all, line) => all + (parseUsd(line.split(',')[at] ?? '') ?? 0n),
        0n,
      );
      const { body } = await ada.get(`${path}/transfers?limit=1000`);
      const charged = (body.data as { kind: string; amount: string }[])
        .filter(({ kind }) => kind === 'usage')
        .reduce((all, { amount }) => all + (parseUsd(amount) ?? 0n), 0n);
      expect(lines.length).toBeGreaterThan(5);
      expect(formatUsd(sum)).toBe(formatUsd(-charged));
    });

    test('and the books are right', async () => {
      expect(await up.verify()).toMatchObject({ status: 0 });
    });
  },
);
