/** The operators' first page: alarms, money, tokens, capacity and customers, each with its page. */
import { expect, test } from 'vitest';
import { Up, until } from '../support/up.ts';
import { figure, look, MODEL } from './operator-steps.ts';
import { browser } from './shared-browser.ts';
import { Visitor } from './visitor.ts';

/** Its load runs until routers have written their history, and transfers are folded. */
const SLOW = { timeout: 240_000 };

test(
  'an operator sees at first how the platform does, and what explains each figure',
  SLOW,
  async () => {
    await using up = await Up.start();
    const body = { model: MODEL, max_tokens: 4, messages: [{ role: 'user', content: 'hello' }] };
    expect((await up.post('/chat/completions', body)).status).toBe(200);
    // A router that stops writes its history; one that starts folds all transfers.
    await up.stop();
    await up.run();
    await until(
      async () => (await up.api('GET', '/platform/summary')).top_customers.last_7_days.length === 1,
      'the charge in the ledger by day',
      60_000,
    );
    // The minute in which the request ended is not over yet.
    await until(
      async () => (await up.api('GET', '/platform/reliability')).hour.present.answered === 1,
      'the request in the last hour',
      90_000,
    );
    await using operator = await Visitor.operator(browser, up);
    const { page } = operator;
    await page.goto('/');
    await page.waitForURL(/\/operator$/);
    await page.getByRole('heading', { level: 1, name: 'Platform' }).waitFor();
    const ready = page.getByRole('link', { name: 'Workers ready' });
    await page.getByText('1 request, refused ones included', { exact: true }).waitFor();
    await page.getByText('All are ready').waitFor();
    const models = page.getByRole('table').filter({ hasText: 'Peak slots' });
    await models.getByRole('link', { name: MODEL }).waitFor();
    await models
      .getByText(/^0 of [\d,]+$/)
      .first()
      .waitFor();
    const slots = page.getByRole('link', { name: 'Slots in use' });
    expect(await slots.locator('xpath=../following-sibling::p[1]').textContent()).toBe('0');
    const customers = page.getByRole('table').filter({ hasText: 'Organization' });
    await customers.getByRole('link', { name: up.first.organization.name }).waitFor();
    await page.getByText('No request has failed').waitFor();
    await page.locator('.recharts-surface').nth(1).waitFor();
    // Demand and capacity of now stand above what is only history.
    const headings = await page.getByRole('heading', { level: 2 }).allInnerTexts();
    expect(headings.indexOf('Demand and capacity by model and region')).toBeLessThan(
      headings.indexOf('Reliability'),
    );
    const availabilities = page.getByRole('img', { name: 'Availability, over time' });
    await availabilities.getByText('99.9%', { exact: true }).waitFor();
    // A cost of a fraction of a cent is rounded as everywhere.
    const chart = page.getByRole('img', { name: 'Money by day, in the last 30 days' });
    const { width, height } = (await chart.boundingBox()) ?? { width: 0, height: 0 };
    await chart.hover({ position: { x: width - 10, y: height / 2 } });
    await chart
      .getByRole('listitem')
      .filter({ hasText: 'Charged for requests' })
      .getByText(/^\$0\.0*[1-9]\d?$/)
      .waitFor();
    const availability = page.getByRole('link', { name: 'Availability', exact: true });
    const endings = page.getByRole('region', { name: 'How requests ended' });
    await endings
      .getByRole('row')
      .filter({ hasText: 'All requests' })
      .getByText('1', { exact: true })
      .waitFor();
    expect(await availability.locator('xpath=../following-sibling::p[1]').textContent()).toBe(
      '100%',
    );
    await look(operator, 'operator-platform');
    await page.getByRole('radio', { name: '24 hours' }).click();
    await page.waitForURL(/period=day/);
    await page.getByText('against the 24 hours before').waitFor();
    await availability.click();
    await page.waitForURL(/\/operator\/fleet\?span=day&by=model#history/);
    await page.getByRole('heading', { level: 2, name: 'History' }).waitFor();
    await page.goBack();
    await page.waitForURL(/period=day/);

    // A drag over a chart leads to the history of that time.
    await page.getByRole('img', { name: 'Time to first token, over time' }).hover();
    const box = await availabilities.boundingBox();
    if (box === null) expect.fail('the chart is not shown');
    await page.mouse.move(box.x + 0.5 * box.width, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.8 * box.width, box.y + box.height / 2, { steps: 3 });
    await page.mouse.up();
    await page.waitForURL(/\/operator\/fleet\?.*from=[^&]+Z&to=[^&]+Z.*#history/);
    await page.goBack();

    await ready.click();
    await page.getByRole('heading', { level: 1, name: 'Fleet' }).waitFor();
    expect(await figure(page, 'Workers ready').textContent()).toBe('1 of 1');
    await page.goBack();
    await models.getByRole('link', { name: MODEL }).click();
    await page.waitForURL(/\/operator\/fleet\?span=day&model=[^&]+&region=global/);
    await page.goBack();
    await page.getByRole('radio', { name: '30 days' }).click();
    await customers.getByRole('link', { name: up.first.organization.name }).click();
    await page.waitForURL(/\/operator\/organizations\/org_/);
  },
);
