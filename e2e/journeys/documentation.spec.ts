import { createHash } from 'node:crypto';
import { expectAccessible } from './fixtures/overlays.ts';
import { demo, expect, test } from './fixtures/test.ts';

const PHONE = { width: 360, height: 800 };
const DESKTOP = { width: 1_440, height: 900 };
/** Bytes of a page as it is drawn by the server, uncompressed. */
const PAGE_MAX_BYTES = 1_000_000;

test('every page of the documentation is drawn by the server, accessible in either scheme, and fits a phone', async ({
  page,
}) => {
  const hosts = new Set<string>();
  const troubles: string[] = [];
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  page.on('pageerror', ({ message }) => troubles.push(message));
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  await page.setViewportSize(DESKTOP);
  await page.goto('/docs');
  const links = page.getByRole('navigation', { name: 'Documentation', exact: true }).getByRole('link');
  const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
  expect(paths).toEqual(expect.arrayContaining(['/docs', '/docs/quickstart', '/docs/webhooks', '/docs/errors', '/docs/api']));
  for (const path of paths) {
    await page.setViewportSize(DESKTOP);
    const drawn = await (await page.goto(path))?.text();
    expect.soft(drawn?.length, path).toBeLessThan(PAGE_MAX_BYTES);
    expect(drawn, path).toMatch(/<h1[^>]*>[^<]+<\/h1>/);
    // Thousands of coloured words: their colours are the same on every page, and are checked on one.
    await expectAccessible(page, undefined, path === '/docs/quickstart' ? undefined : 'pre > code');
    await page.setViewportSize(PHONE);
    const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    await expect.poll(sideways, path).toBeLessThanOrEqual(0);
  }
  expect([...hosts]).toEqual([new URL(demo.webUrl).host]);
  expect(troubles).toEqual([]);
});

test('a developer chooses a language by keyboard, which stays chosen, and finds an error by searching', async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  await page.goto('/docs/quickstart');
  const tabs = page.getByRole('tablist', { name: 'Language of: Start a payment' });
  await tabs.getByRole('tab', { name: 'curl' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await expect(tabs.getByRole('tab', { name: 'Python' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('tabpanel', { name: 'Python' }).first()).toContainText('import requests');
  await page.reload();
  for (const tab of await page.getByRole('tab', { name: 'Python' }).all())
    await expect(tab).toHaveAttribute('aria-selected', 'true');

  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search the documentation' }).fill('signature');
  await expect(page.getByRole('option', { name: /Receive and verify/ })).toBeVisible();
  await page.getByRole('combobox').fill('rate limits');
  await page
    .getByRole('option', { name: /Rate limits/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/docs\/rate-limits/);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Rate limits');
});

test('anyone fetches what the documentation says to install, as its checksums have it', async ({ playwright }) => {
  const merchant = await playwright.request.newContext({ baseURL: demo.webUrl });
  const sums = await (await merchant.get('/install/SHA256SUMS')).text();
  const lines = sums
    .trimEnd()
    .split('\n')
    .map((line) => line.split('  '));
  expect(lines.map(([, name]) => name)).toEqual(
    expect.arrayContaining(['Switchyard.php', 'switchyard-client.tgz', 'switchyard.py']),
  );
  for (const [sum, name] of lines) {
    const answer = await merchant.get(`/install/${name}`);
    expect(answer.status(), name).toBe(200);
    expect(
      createHash('sha256')
        .update(await answer.body())
        .digest('hex'),
      name,
    ).toBe(sum);
    expect(answer.headers(), name).toMatchObject({ 'x-content-type-options': 'nosniff' });
  }
  await merchant.dispose();
});

test('programs read the documentation as Markdown, from its index on', async ({ request }) => {
  const index = await request.get('/llms.txt');
  expect([index.status(), index.headers()['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const pages = [...(await index.text()).matchAll(/\((http\S+\.md)\)/g)].map(([, address = '']) => address);
  expect(pages.length).toBeGreaterThan(12);
  for (const address of pages) {
    const page = await request.get(address);
    expect([address, page.status(), page.headers()['content-type']]).toEqual([address, 200, 'text/markdown; charset=utf-8']);
    expect(await page.text()).toMatch(/^# \S/);
  }
  expect(await (await request.get('/docs.md')).text()).toBe(await index.text());
  expect((await request.get('/docs/nothing.md')).status()).toBe(404);
});
