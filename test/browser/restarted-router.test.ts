/** A router that was started again has another id: the page of the former one leads to it. */
import { expect, test } from 'vitest';
import { Up } from '../support/up.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

test('the page of a router that has stopped leads to the one that took its place', async () => {
  await using up = await Up.start();
  const reported = async () => {
    const { data } = await up.api('GET', '/routers');
    return data.find(({ host }: { host: string | null }) => host !== null)?.id as
      | string
      | undefined;
  };
  await expect.poll(reported).toBeDefined();
  const former = await reported();
  await up.stop();
  await up.run();
  await expect.poll(reported).toBeDefined();
  const next = await reported();
  expect(next).not.toBe(former);

  await using operator = await Visitor.operator(browser, up);
  const { page } = operator;
  await page.goto(`/operator/routers/${former}`);
  const notice = page.getByText(/was the next router to start on this machine, on /);
  await notice.locator(`a[href$="/operator/routers/${next}"]`).waitFor();
  await operator.look('operator-router-restarted');
  await notice.locator('a').last().click();
  await page.waitForURL(`**/operator/routers/${next}`);
  await page.locator('header').getByText('Reporting', { exact: true }).waitFor();
});
