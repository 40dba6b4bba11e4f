import type { Page } from '@playwright/test';
import { expectToArrive, signInAsOwner } from './fixtures/staff.ts';
import { expect, merchant, test } from './fixtures/test.ts';

/** Two beats of the slowest query of these pages, and what a busy machine adds. */
const BLIND_WITHIN = { timeout: 120_000 };
const CALLS = '**/api/trpc/**';
const POLLED = ['/overview', '/payments', '/health', '/alerts', '/gateways'];

const band = (page: Page) => page.getByRole('alert').filter({ hasText: 'Last updated' });

/** The names of colours that the content of a page has as green, and as grey. */
function colours(page: Page) {
  return page.locator('#content').evaluate((content) => {
    const style = getComputedStyle(content);
    return ['--good', '--good-ink', '--good-soft'].map(
      (name) => style.getPropertyValue(name) === style.getPropertyValue(name.replace('good', 'over')),
    );
  });
}

test('a page says in its head that it is not read any more, until it is again', async ({ page }) => {
  await signInAsOwner(page);
  await page.goto('/health?mode=test');
  await expect(page.getByText('Live, updated')).toBeVisible();
  expect(await colours(page)).toEqual([false, false, false]);
  await page.route(CALLS, (route) => route.fulfill({ status: 500, body: 'Internal error' }));
  await expect(band(page)).toContainText('Switchyard does not answer', BLIND_WITHIN);
  expect(await colours(page)).toEqual([true, true, true]);
  await expect(page.getByText('Not live, updated')).toBeVisible();
  await expect(page.getByText(/ (is|are) healthy/)).toHaveCount(0);
  await expect(page.getByRole('link', { name: 'What needs attention is unknown' })).toHaveText('?');
  await expect(page).toHaveTitle(/^○ Not live · /);
  await page.unroute(CALLS);
  await expect(band(page)).toHaveCount(0, BLIND_WITHIN);
  expect(await colours(page)).toEqual([false, false, false]);
  await expect(page).not.toHaveTitle(/Not live/);
});

test('every page that is read at an interval says when its calls fail', async ({ page, context }) => {
  await signInAsOwner(page);
  const pages = await Promise.all(POLLED.map(() => context.newPage()));
  for (const [index, path] of POLLED.entries()) await pages[index]?.goto(`${path}?mode=test`);
  for (const one of pages) await one.route(CALLS, (route) => route.abort('connectionrefused'));
  for (const one of pages) {
    // A page in the background is not read: it is blind from when it is shown.
    await one.bringToFront();
    await expect(band(one)).toContainText('Switchyard does not answer', BLIND_WITHIN);
    expect(await colours(one)).toEqual([true, true, true]);
  }
  await Promise.all(pages.map((one) => one.close()));
});

test('a page that is offline says so at once, and is kept when a link is followed', async ({ page, context }) => {
  await signInAsOwner(page);
  await page.goto('/overview?mode=test');
  await expect(page.getByText('Updated just now')).toBeVisible();
  await context.setOffline(true);
  await expect(band(page)).toContainText('You are offline');
  const payments = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Payments' });
  await payments.click();
  await expect(page.getByText('The page is kept')).toBeVisible();
  await expect(page).toHaveURL(/\/overview/);
  await context.setOffline(false);
  await expect(band(page)).toHaveCount(0, BLIND_WITHIN);
  await payments.click();
  await expectToArrive(page, /\/payments/);
});

for (const [words, ahead] of [
  ['a minute ahead', 60_000],
  ['a minute behind', -60_000],
] as const) {
  test(`a browser whose clock is ${words} shows what just happened as just now`, async ({ page }) => {
    await signInAsOwner(page);
    await page.clock.install({ time: Date.now() + ahead });
    await page.clock.resume();
    const order = `clock-${ahead}-${Date.now()}`;
    // Its own list: payments of other journeys would take it off the first page.
    await page.goto(`/payments?mode=test&q=${order}`);
    await merchant.initiate({ merchantOrderId: order });
    const row = page.getByRole('row').filter({ hasText: order });
    await expect(row).toBeVisible();
    await expect(row.locator('time').first()).toHaveText(/^(just now|\d+ s ago)$/);
    await page.goto('/overview?mode=test');
    await expect(page.getByText(/^Updated (just now|\d s ago)$/)).toBeVisible();
    const times = await page.locator('#content time').allTextContents();
    expect(times.filter((text) => text.startsWith('in '))).toEqual([]);
    await expect(band(page)).toHaveCount(0);
  });
}

test('a page is hydrated as it was rendered, after scrolling, a panel, a reload and the way back', async ({ page }) => {
  const problems: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', ({ message }) => problems.push(message));
  await signInAsOwner(page);
  await page.goto('/payments?mode=test');
  await page.mouse.wheel(0, 2_000);
  await page.getByRole('table').getByRole('link').nth(3).click();
  await expect(page.getByRole('complementary')).toBeVisible();
  await page.reload();
  await page.goBack();
  await expect(page.getByRole('complementary')).toHaveCount(0);
  await page.reload();
  await page.goForward();
  expect(problems).toEqual([]);
});
