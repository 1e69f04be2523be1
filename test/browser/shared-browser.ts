/** A browser for a test file that imports this module. Each visitor has its own cookies and storage. */
import { beforeAll } from 'vitest';
import type { Browser } from 'playwright-core';
import { openBrowser } from './visitor.ts';

export let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
  return () => browser.close();
});
