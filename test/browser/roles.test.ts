/**
 * Every page as every role: each role sees what the table of permissions allows, and nothing else.
 */
import type { Response } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PERMISSIONS } from '../../router/control/permissions.ts';
import { PAGES, type PageName } from '../../router/dashboard/pages.ts';
import { ROLES, type Role } from '../../shared/api/roles.ts';
import { up } from '../support/shared-up.ts';
import { until } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

type Viewer = Role | 'operator' | 'stranger';

const VIEWERS: readonly Viewer[] = [...ROLES, 'operator', 'stranger'];
const PAGE_NAMES = Object.keys(PAGES) as PageName[];

let organization: string;
let job = '';
let router = '';
let request: string;
let agent: string;
let webhook: string;
let anyone: string;
let key: string;
beforeAll(async () => {
  organization = up.first.organization.id;
  const messages = [{ role: 'user', content: 'hello' }];
  const answer = await up.post('/chat/completions', {
    model: 'qwen/qwen3-235b-a22b-instruct-2507',
    messages,
    max_tokens: 4,
  });
  const wanted = { url: 'https://example.com/hooks', events: ['balance.low'] };
  const made = await up.api('POST', `/organizations/${organization}/webhooks`, wanted);
  webhook = (made as { id: string }).id;
  ({ id: key } = await up.api('POST', `/organizations/${organization}/keys`, { name: 'roles' }));
  ({
    data: [{ id: anyone }],
  } = await up.api('GET', '/people?limit=1'));
  ({
    data: [{ id: router }],
  } = await up.api('GET', '/routers'));
  const agents = await up.admin<{ id: string }[]>('agent', 'list');
  agent = agents[0]?.id ?? '';
  request = answer.headers.get('x-request-id') ?? '';
  await answer.text();
  const invited = { email: 'guest@example.com', role: 'viewer' };
  await up.api('POST', `/organizations/${organization}/invitations`, invited);
  const done = async () => {
    const { data } = await up.api('GET', '/jobs?state=done');
    return (data as { id: string }[])[0];
  };
  ({ id: job } = await until(done, 'a job that is done'));
});

function maySee(viewer: Viewer, name: PageName): boolean {
  const { needs } = PAGES[name];
  if (viewer === 'operator' || needs === 'person' || needs === 'visitor') return true;
  if (viewer === 'stranger' || needs === 'operator') return false;
  return (PERMISSIONS[needs] as readonly Role[]).includes(viewer);
}

async function open(viewer: Viewer): Promise<Visitor> {
  if (viewer === 'operator') return await Visitor.operator(browser, up);
  const person = { name: viewer, email: `${viewer}@example.com` };
  if (viewer === 'stranger') return await Visitor.signedUp(browser, up, person);
  const flags = ['--organization', organization, '--email', person.email, '--role', viewer];
  const { url } = await up.admin<{ url: string }>('invitation', 'create', ...flags);
  const invitation = new URL(url).hash.replace('#token=', '');
  return await Visitor.signedUp(browser, up, { ...person, invitation });
}

describe.each(VIEWERS)('%s', (viewer) => {
  let visitor: Visitor;
  beforeAll(async () => {
    visitor = await open(viewer);
  });
  afterAll(() => visitor[Symbol.asyncDispose]());

  test.each(PAGE_NAMES)('%s', async (name) => {
    const { page } = visitor;
    const { path } = PAGES[name];
    // This ends what the page before is still loading: its refusals are not those of this page.
    await page.goto('about:blank');
    const refusals: string[] = [];
    const hear = (answer: Response) => {
      if ([403, 404].includes(answer.status())) refusals.push(answer.url());
    };
    page.on('response', hear);
    await page.goto(
      path
        .replace('$organization', organization)
        .replace('$request', request)
        .replace('$agent', agent)
        .replace('$webhook', webhook)
        .replace('$person', anyone)
        .replace('$router', router)
        .replace('$job', job)
        .replace('$runbook', 'PenstockStoreDown')
        .replace('$document', 'backup')
        // There is none, and the page says so.
        .replace('$invoice', `ivc_${'0'.repeat(26)}`)
        .replace('$key', key),
    );
    const heading = page.getByRole('heading', { level: 1 });
    // A stranger is not told whether there is an organization at this address.
    const isHidden = viewer === 'stranger' && PAGES[name].needs !== 'operator';
    const refused = page.getByText(
      isHidden ? 'Organization not found' : 'You do not have access to this page',
    );
    await heading.waitFor();
    await (maySee(viewer, name) ? page.locator('main h1') : refused).waitFor();
    expect(await refused.count()).toBe(maySee(viewer, name) ? 0 : 1);
    // A page that is shown must not request anything that the role may not have.
    if (maySee(viewer, name)) {
      await page.waitForLoadState('networkidle');
      expect(refusals).toEqual([]);
    }
    page.off('response', hear);
  });

  test('the navigation has the pages that they may see, and no others', async () => {
    const { page } = visitor;
    await page.goto('/account');
    const main = page.getByRole('navigation', { name: 'Main' });
    const links = main.getByRole('link');
    await main.getByRole('button', { name: 'Build' }).waitFor();
    // The links of the group that an operator does not use are closed.
    for (const name of ['Build', 'Organization', 'Operator']) {
      const closed = main.getByRole('button', { name, exact: true, expanded: false });
      if ((await closed.count()) > 0) await closed.click();
    }
    await links.first().waitFor();
    const own = (name: PageName) => viewer === 'stranger' && PAGES[name].group !== 'operator';
    const wanted = PAGE_NAMES.filter(
      // The stranger of this test is the org-admin of another organization.
      (name) => PAGES[name].group !== null && (own(name) || maySee(viewer, name)),
    );
    expect(await links.allTextContents()).toEqual(wanted.map((name) => PAGES[name].title));
  });
});
