/** Whether the tables of a page fit where they are. */
import type { Page } from 'playwright-core';

/** Common windows of laptops and desktops. */
export const DESKTOPS = [
  { width: 1280, height: 800 },
  { width: 1366, height: 768 },
  { width: 1440, height: 900 },
] as const;

/** The tables that are wider than their place at one of these windows, each with by how much. */
export async function tooWide(page: Page): Promise<string[]> {
  const usual = page.viewportSize();
  const found: string[] = [];
  for (const size of DESKTOPS) {
    await page.setViewportSize(size);
    const over = await page
      .getByRole('main')
      .getByRole('region')
      .filter({ has: page.locator('table') })
      .evaluateAll((boxes) =>
        boxes.map((box) => [box.getAttribute('aria-label'), box.scrollWidth - box.clientWidth]),
      );
    found.push(
      ...over.flatMap(([name, px]) =>
        Number(px) > 0
          ? [`${new URL(page.url()).pathname} at ${size.width}: ${name} by ${px}`]
          : [],
      ),
    );
  }
  if (usual) await page.setViewportSize(usual);
  return found;
}
