/**
 * The dashboard's font, for the pages that the router itself renders. The file is the one of the
 * dashboard's build. Without a build, these pages have a font of the system.
 */
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ASSETS = fileURLToPath(new URL('../dashboard/dist/assets', import.meta.url));
/** Vite adds a digest to the file's name. */
const LATIN = /^inter-latin-wght-normal-[\w-]+\.woff2$/;

const files = existsSync(ASSETS) ? readdirSync(ASSETS) : [];
const file = files.find((name) => LATIN.test(name));

/** A CSS rule, or nothing. A page with it needs `font-src 'self'` in its policy. */
export const FONT_FACE =
  file === undefined
    ? ''
    : `@font-face{font-family:'Inter Variable';font-display:swap;font-weight:100 900;src:url(/assets/${file}) format('woff2')}`;
