/** A person with a real browser in front of a real `penstock up`. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Up } from '../support/up.ts';
import { letterTo, tokenOf } from './letters.ts';

const CHROMIUM = process.env['PENSTOCK_CHROMIUM'] ?? '/usr/bin/chromium';
/**
 * The first two are pages of Chromium's address bar (seen in version 156). Each new window loads
 * both, some 370 modules, at the same time as its first page. The others are Playwright's own: the
 * browser takes only the last list that it is given.
 */
const FEATURES_OFF = [
  'WebUIOmniboxAimPopup',
  'WebUIOmniboxPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${FEATURES_OFF.join()}`,
];
const PICTURES = join(import.meta.dirname, 'pictures');
const DEVICES = {
  desktop: { width: 1360, height: 900 },
  phone: { width: 390, height: 844 },
} as const;
const THEMES = ['light', 'dark'] as const;
/**
 * Two of the four combinations show what depends on the theme and what depends on the width. With
 * PENSTOCK_PICTURES=all there are pictures of all four.
 */
const SHOWN: Readonly<Record<(typeof THEMES)[number], readonly (keyof typeof DEVICES)[]>> =
  process.env['PENSTOCK_PICTURES'] === 'all'
    ? { light: ['desktop', 'phone'], dark: ['desktop', 'phone'] }
    : { light: ['desktop'], dark: ['phone'] };
/** Without selectors of all that passes, and without loading style sheets again, axe takes half as long. */
const ONLY_VIOLATIONS = { resultTypes: ['violations' as const], preload: false };
const PASSWORD = 'three blue herons at dawn';

type SignUp = Readonly<{
  name: string;
  email: string;
  organization?: string;
  /** The token of an invitation. Its organization is joined instead. */
  invitation?: string;
  /** Leaves the person's address unconfirmed. */
  unconfirmed?: boolean;
}>;

/** Opens one browser for a test file. Each visitor has separate cookies and storage. */
export async function openBrowser(): Promise<Browser> {
  return await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
}

export class Visitor implements AsyncDisposable {
  readonly page: Page;
  /** What the browser's console reported: script errors, refused resources and charts without a size. */
  readonly complaints: string[] = [];
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
    page.on('console', (message) => {
      // The browser itself reports 4xx answers of the API, which are expected. A 5xx is a
      // complaint.
      const refused =
        /status of 4\d\d/.test(message.text()) && /\/(?:api\/)?v1\//.test(message.location().url);
      // A chart that is drawn without a size.
      const isOfChart = message.type() === 'warning' && / of chart /.test(message.text());
      if ((message.type() === 'error' && !refused) || isOfChart) {
        this.complaints.push(message.text());
      }
    });
    page.on('pageerror', (error) => this.complaints.push(String(error)));
  }

  static async open(browser: Browser, up: Up): Promise<Visitor> {
    const context = await browser.newContext({
      baseURL: up.origin,
      viewport: DEVICES.desktop,
      reducedMotion: 'reduce',
    });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    // A step takes a second or less, but much longer on a machine that is busy.
    context.setDefaultTimeout(30_000);
    return new Visitor(context, await context.newPage());
  }

  /**
   * Signs up through the API in this browser, for tests of later steps. The person's own
   * organization receives its welcome credit.
   */
  static async signedUp(
    browser: Browser,
    up: Up,
    { unconfirmed = false, ...person }: SignUp,
  ): Promise<Visitor> {
    const visitor = await Visitor.open(browser, up);
    await visitor.#post(up, '/sign-up', { password: PASSWORD, ...person });
    if (unconfirmed || person.invitation !== undefined) return visitor;
    const token = tokenOf(await letterTo(up, person.email, '/confirm'));
    await visitor.#post(up, '/email-confirm', { token });
    return visitor;
  }

  /** Signs in as the operator that the first start created. */
  static async operator(browser: Browser, up: Up): Promise<Visitor> {
    const visitor = await Visitor.open(browser, up);
    const { email, password } = up.first.operator;
    await visitor.#post(up, '/sign-in', { email, password });
    return visitor;
  }

  async #post(up: Up, path: string, data: object): Promise<void> {
    const headers = { origin: up.origin };
    const answer = await this.#context.request.post(`/api/v1${path}`, { data, headers });
    expect(answer.ok(), await answer.text()).toBe(true);
  }

  /** Returns the id of the organization that the person belongs to. */
  async organization(): Promise<string> {
    const answer = await this.#context.request.get('/api/v1/me');
    const me = (await answer.json()) as { organizations: { id: string }[] };
    return me.organizations[0]?.id ?? '';
  }

  /**
   * Takes screenshots of the page in both themes, and reports serious findings of axe. The page is
   * left as it was. `on`: the only device, for what is opened in different ways on each.
   */
  async look(name: string, { on }: { on?: keyof typeof DEVICES } = {}): Promise<void> {
    await mkdir(PICTURES, { recursive: true });
    const { page } = this;
    // A dialog covers the window, and not the rest of a page that is longer.
    const fullPage = (await page.locator('[role=dialog], [role=alertdialog]').count()) === 0;
    for (const theme of THEMES) {
      // What asks for the theme is told only of the system's.
      await page.emulateMedia({ colorScheme: theme });
      await page.evaluate((chosen) => {
        document.documentElement.dataset['theme'] = chosen;
      }, theme);
      for (const device of SHOWN[theme]) {
        if (on !== undefined && device !== on) continue;
        await page.setViewportSize(DEVICES[device]);
        await page.screenshot({
          path: join(PICTURES, `${name}-${theme}-${device}.png`),
          fullPage,
          // On a busy machine, a picture of a whole page took longer than other steps may.
          timeout: 60_000,
        });
      }
      // Otherwise axe opens a page of its own for its results, which takes the focus from this one.
      const axe = new AxeBuilder({ page }).setLegacyMode().options(ONLY_VIOLATIONS);
      // Between the themes, only colors differ.
      if (theme === 'dark') axe.withRules(['color-contrast']);
      const { violations } = await axe.analyze();
      const serious = violations.filter(
        ({ impact }) => impact === 'serious' || impact === 'critical',
      );
      const told = serious.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join('\n')}`,
      );
      expect(told, `${name}, ${theme}`).toEqual([]);
    }
    await page.setViewportSize(DEVICES.desktop);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.evaluate(() => {
      document.documentElement.dataset['theme'] = 'light';
    });
  }

  /** Every test also expects an empty console. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#context.close();
    expect(this.complaints).toEqual([]);
  }
}
