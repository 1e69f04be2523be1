/** Long names without spaces: no page scrolls sideways because of one. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Up } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

const SHIPPED = new URL('../../configs/catalog.yaml', import.meta.url);
const KNOWN = 'deepseek-ai/deepseek-v4-flash';
const LONG = `${'W'.repeat(40)}/${'x'.repeat(159)}`;
const KEY_NAME = 'W'.repeat(100);
const WIDTHS = [390, 1280];

test('no page scrolls sideways because of the long name of a key or a model', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'penstock-long-'));
  try {
    const catalog = join(folder, 'catalog.yaml');
    const shipped = await readFile(SHIPPED, 'utf8');
    const renamed = shipped
      .replaceAll(KNOWN, LONG)
      .replace('name: DeepSeek V4 Flash', `name: ${'W'.repeat(200)}`);
    expect(renamed).toContain('W'.repeat(200));
    await writeFile(catalog, renamed);
    await using up = await Up.start(['--catalog', catalog]);
    const { id } = await up.customer(KEY_NAME);
    const made = await up.api('POST', `/organizations/${id}/keys`, { name: KEY_NAME });
    const headers = { authorization: `Bearer ${made.key}`, 'content-type': 'application/json' };
    const messages = [{ role: 'user', content: 'Say hello.' }];
    const ask = async (model: string) =>
      await up.post('/chat/completions', { model, max_tokens: 1, messages }, { headers });
    const served = await ask(LONG);
    expect(served.status).toBe(200);
    const refused = await ask(`${LONG}y`);
    expect(refused.status).toBe(404);
    await using operator = await Visitor.operator(browser, up);
    const { page } = operator;
    const requests = [served, refused].map((answer) => answer.headers.get('x-request-id'));
    for (const request of requests) {
      await expect
        .poll(async () =>
          (await page.request.get(`/api/v1/organizations/${id}/requests/${request}`)).ok(),
        )
        .toBe(true);
    }
    const paths = [
      `/${id}`,
      `/${id}/keys`,
      `/${id}/keys/${made.id}`,
      `/${id}/usage`,
      `/${id}/usage?group=key`,
      `/${id}/logs`,
      ...requests.map((request) => `/${id}/logs/${request}`),
      '/catalog',
      `/catalog?compare=${encodeURIComponent(LONG)}`,
      `/catalog/${LONG}`,
    ];
    const wide: string[] = [];
    for (const path of paths) {
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const over = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        if (over > 0) wide.push(`${path} at ${width}: ${over}`);
      }
    }
    expect(wide).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
