/** The pages that the router renders look like the dashboard. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { LOGO, LOGO_SVG } from '../../../router/control/logo.ts';
import { PAGE_STYLE } from '../../../router/control/page-style.ts';

const dashboard = (path: string) =>
  readFileSync(new URL(`../../../router/dashboard/${path}`, import.meta.url), 'utf8');
const THEME = dashboard('theme.css');

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

test.each([
  ['the dashboard', dashboard('shell/mark.tsx')],
  ['the icon', dashboard('public/favicon.svg')],
  ['the pages that the router renders', LOGO_SVG],
])('the logo of %s has the shape of all others', (_, svg) => {
  const { units, radius, path, stroke } = LOGO;
  const valueOf = (name: string) => new RegExp(`\\s${name}="([^"]+)"`).exec(svg)?.[1];
  expect(valueOf('viewBox')).toBe(`0 0 ${units} ${units}`);
  expect(valueOf('rx')).toBe(String(radius));
  expect(valueOf('d')).toBe(path);
  expect(valueOf('stroke-?[wW]idth')).toBe(String(stroke));
});
