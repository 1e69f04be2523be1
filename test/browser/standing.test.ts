/** What is said above every page of an organization, and where an operator lands. */
import { expect, test } from 'vitest';
import { up } from '../support/shared-up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const LONG = { timeout: 240_000 };
const PAGES = ['', '/keys', '/usage', '/members', '/billing'];

test(
  'every page says that credit is low, out, or that the organization is suspended',
  LONG,
  async () => {
    await using ada = await Visitor.signedUp(browser, up, {
      name: 'Ada',
      email: 'ada@example.com',
      organization: 'Engines',
    });
    const { page } = ada;
    const id = await ada.organization();
    const path = `/organizations/${id}`;
    const notice = page.getByRole('status').filter({ hasText: /credit|suspended/i });
    await page.goto(`/${id}/keys`);
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    expect(await notice.count()).toBe(0);

    await up.api('PATCH', path, { low_balance_threshold: '10' });
    for (const below of PAGES) {
      await page.goto(`/${id}${below}`);
      await notice.filter({ hasText: 'Credit is low: $5.00 left.' }).waitFor();
    }
    await page.goto(`/${id}/members`);
    await notice.getByRole('link', { name: 'Add credit' }).click();
    await page.waitForURL(`**/${id}/billing`);
    await ada.look('notice-low');

    const reason = { amount: '-5', reason: 'test' };
    await up.api('POST', `${path}/credit/adjustments`, reason);
    await page.goto(`/${id}/usage`);
    await notice.filter({ hasText: 'The organization is out of credit.' }).waitFor();
    await ada.look('notice-empty');

    const invited = ['--organization', id, '--email', 'vic@example.com', '--role', 'viewer'];
    const { url } = await up.admin<{ url: string }>('invitation', 'create', ...invited);
    const invitation = new URL(url).hash.replace('#token=', '');
    const vic = { name: 'Vic', email: 'vic@example.com', invitation };
    await using viewer = await Visitor.signedUp(browser, up, vic);
    await viewer.page.goto(`/${id}/models`);
    await viewer.page.getByText('Only org-admins and billing-admins can add credit.').waitFor();
    expect(await viewer.page.getByRole('link', { name: 'Add credit' }).count()).toBe(0);

    await up.api('PATCH', `${path}/terms`, { status: 'suspended' });
    await page.goto(`/${id}/settings`);
    await page.getByText('Contact the platform operator.').waitFor();
    expect(await page.getByRole('link', { name: 'Review suspension' }).count()).toBe(0);
    await ada.look('notice-suspended');
  },
);

test(
  "an operator lands on the operator's pages, and is told when they act in an organization",
  LONG,
  async () => {
    await using eve = await Visitor.signedUp(browser, up, {
      name: 'Eve',
      email: 'eve@example.com',
      organization: 'Customer Ltd',
    });
    const id = await eve.organization();
    await eve.page.goto('/');
    await eve.page.waitForURL(`**/${id}`);

    await using operator = await Visitor.open(browser, up);
    const { page } = operator;
    const { email, password } = up.first.operator;
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL('**/operator');
    await page.goto(`/${up.first.organization.id}/keys`);
    await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
    expect(await page.getByText('Acting as operator in').count()).toBe(0);

    await page.goto(`/${id}/keys`);
    await page.getByText('Acting as operator in Customer Ltd.').waitFor();
    await operator.look('acting-as-operator');
    await up.api('PATCH', `/organizations/${id}/terms`, { status: 'suspended' });
    await page.reload();
    await page.getByRole('link', { name: 'Review suspension' }).waitFor();
    await operator.look('acting-suspended');
    await page.getByRole('link', { name: 'Back to operator pages' }).click();
    await page.waitForURL(`**/operator/organizations/${id}`);
    expect(await page.getByText('Acting as operator in').count()).toBe(0);
  },
);
