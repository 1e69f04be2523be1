/** The pages that the router renders look like the dashboard. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PAGE_STYLE } from '../../../router/control/page-style.ts';

const THEME = readFileSync(new URL('../../../router/dashboard/theme.css', import.meta.url), 'utf8');

/** The colours in the first block that begins with `start`. */
function coloursIn(css: string, start: string): Map<string, string> {
  const from = css.indexOf(start) + start.length;
  const block = css.slice(from, css.indexOf('}', from));
  return new Map(
    [...block.matchAll(/(--[\w-]+):\s*(#[0-9a-f]{6})/g)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );
}

test.each([
  ['light', ':root{', ':root {'],
  ['dark', 'dark){:root{', "[data-theme='dark'] {"],
])('their colours in the %s theme are those of the dashboard', (_, ofPages, ofDashboard) => {
  const own = coloursIn(PAGE_STYLE, ofPages);
  const theme = coloursIn(THEME, ofDashboard);
  expect(own.size).toBeGreaterThan(10);
  expect([...own].filter(([name, value]) => theme.get(name) !== value)).toEqual([]);
});
