/** The addresses in the runbooks that lead to pages of the dashboard. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { operatorPage } from '../../../../../../router/dashboard/pages/operator/runbooks/operator-page.ts';
import { fleetSearch } from '../../../../../../router/dashboard/operator-search.ts';
import { PAGES } from '../../../../../../router/dashboard/pages.ts';

test('an address of a page for operators is told from other code', () => {
  expect(operatorPage('/operator')).toEqual({
    to: '/operator',
    shows: 'Platform',
    search: {},
    hash: '',
  });
  expect(operatorPage('/operator/fleet?link=lost#hosts')).toEqual({
    to: '/operator/fleet',
    shows: 'the lost hosts',
    search: { link: 'lost' },
    hash: 'hosts',
  });
  expect(operatorPage('/operator/fleet')).toMatchObject({ shows: 'Fleet' });
  expect(operatorPage('/operators')).toBeNull();
  expect(operatorPage('curl http://127.0.0.1:9465/readyz')).toBeNull();
  expect(operatorPage('/operator and more')).toBeNull();
});

test('each address in the runbooks is one of a page, with a search that the page knows', async () => {
  const text = await readFile(
    new URL('../../../../../../docs/runbooks.md', import.meta.url),
    'utf8',
  );
  const codes = [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
  const pages = codes.map(operatorPage).filter((page) => page !== null);
  const paths: readonly string[] = Object.values(PAGES).map(({ path }) => path);
  expect(pages.length).toBeGreaterThan(5);
  for (const { to, shows, search, hash } of pages) {
    expect(paths).toContain(to);
    // Links to different parts of a page have different texts.
    expect(shows).toMatch(hash === '' ? /^[A-Z]/ : /^the /);
    if (to === PAGES.fleet.path) expect(fleetSearch(search)).toMatchObject(search);
    else expect(search).toEqual({});
  }
});
