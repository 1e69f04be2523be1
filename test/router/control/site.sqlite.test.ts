/** The dashboard's files, as browsers receive them. */
import { describe, expect, test } from 'vitest';
import { rig, shareRig } from './shared-rig.ts';

shareRig();

const ORGANIZATION = `org_${'0'.repeat(26)}`;

const asBrowser = { accept: 'text/html,application/xhtml+xml', 'accept-encoding': 'br' };

function get(path: string, headers: Record<string, string> = asBrowser): Promise<Response> {
  return fetch(`${rig.origin}${path}`, { headers });
}

/** Returns the path of the script that the page loads. */
async function script(): Promise<string> {
  const found = /src="(\/assets\/[^"]+\.js)"/.exec(await (await get('/')).text());
  return found?.[1] ?? '';
}

describe.each([
  '/',
  '/sign-in',
  '/docs',
  '/docs/streaming',
  '/invitation',
  '/account',
  '/operator',
  `/${ORGANIZATION}/keys`,
])('%s', (path) => {
  test('is the page, which may load from here alone, and no script that stands in it', async () => {
    const answer = await get(path);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self' 'nonce-");
    expect(policy).not.toContain('unsafe');
    expect(await answer.text()).not.toMatch(/<script(?![^>]* src=)/);
  });
});

test('a slash at the end of an address leads to the page, with its query', async () => {
  for (const [path, to] of [
    ['/account/', '/account'],
    [`/${ORGANIZATION}/?range=7d`, `/${ORGANIZATION}?range=7d`],
  ] as const) {
    const answer = await fetch(rig.origin + path, { headers: asBrowser, redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, to]);
  }
});

test('a page says whether its request had a session', async () => {
  const said = async (headers: object) =>
    / name="session" content="([^"]+)"/.exec(
      await (await get('/', { ...asBrowser, ...headers })).text(),
    )?.[1];
  expect(await said({})).toBe('none');
  expect(await said({ cookie: 'penstock-session=x' })).toBe('present');
});

test('a page says which regions are served', async () => {
  expect(await (await get('/', asBrowser)).text()).toContain('name="regions" content="global"');
});

test('each page has a nonce of its own', async () => {
  const nonce = async () => / nonce="([^"]+)"/.exec(await (await get('/')).text())?.[1];
  const [one, other] = [await nonce(), await nonce()];
  expect(one).toMatch(/^[A-Za-z0-9+/]{22}==$/);
  expect(one).not.toBe(other);
});

test('what has a digest in its name is kept for ever, and sent compressed', async () => {
  const answer = await get(await script());
  expect(answer.status).toBe(200);
  expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(answer.headers.get('content-encoding')).toBe('br');
  expect(answer.headers.get('content-type')).toMatch(/javascript/);
});

test('what keeps its name is asked about again', async () => {
  const answer = await get('/theme.js');
  expect(answer.headers.get('cache-control')).toBe('public, no-cache');
  expect(answer.headers.get('etag')).not.toBeNull();
});

test('each page of the documentation is also there as text, with a base URL that works', async () => {
  const index = await get('/llms.txt', {});
  expect(index.headers.get('content-type')).toBe('text/plain; charset=utf-8');
  const links = [...(await index.text()).matchAll(/\]\((http\S+\.md)\)/g)].map(([, url]) => url);
  expect(links).toContain(`${rig.origin}/docs/streaming.md`);
  expect(links.length).toBeGreaterThan(10);
  for (const url of links) {
    const page = await fetch(url ?? '');
    expect([url, page.status, page.headers.get('content-type')]).toEqual([
      url,
      200,
      'text/markdown; charset=utf-8',
    ]);
    const text = await page.text();
    expect(text).toMatch(/^# /);
    expect(text).not.toMatch(/%[A-Z]+%|127\.0\.0\.1:8080/);
  }
  expect((await get('/docs/nothing.md', {})).status).toBe(404);
  expect((await get('/docs/nothing')).status).toBe(404);
});

test('an address of nothing is a 404: a page for browsers, an error for programs', async () => {
  const page = await get('/nothing/here');
  expect([page.status, page.headers.get('content-type')]).toEqual([
    404,
    'text/html; charset=utf-8',
  ]);
  for (const [path, headers] of [
    ['/nothing/here', {}],
    ['/api/v1/nothing', asBrowser],
    ['/assets/nothing.js', {}],
  ] as const) {
    const answer = await get(path, { ...headers });
    expect([path, answer.status]).toEqual([path, 404]);
    expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } });
  }
});

test.each([
  '/assets/../index.html',
  '/assets/%2e%2e/%2e%2e/vite.config.ts',
  '/..%2f..%2fpackage.json',
  '/assets/%00',
  '//etc/passwd',
])('%s leads to no file outside', async (path) => {
  const answer = await get(path, { accept: '*/*' });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
});
