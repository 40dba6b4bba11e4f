import { join } from 'node:path';
import type { BrowserContext, Page, Response } from '@playwright/test';
import { expectAccessible } from './fixtures/accessibility.ts';
import { expectOverlaysAccessible } from './fixtures/overlays.ts';
import { addressOf, makeSamples, routes, type Samples, untilShown } from './fixtures/pages.ts';
import { openBrowser, signInAsOwner } from './fixtures/staff.ts';
import { expect, test } from './fixtures/test.ts';

/*
 * Every page, found in the folder of pages: a new one is covered as soon as it exists. Each is checked with its dialogs and menus in
 * both schemes, on a large screen and on the smallest phone, and saved as a screenshot where PICTURES names a folder.
 */

const { PICTURES } = process.env;
const SCRIPT_MAX_BYTES = 320_000;
/** Less than this, and it was not the scripts that were counted. */
const SCRIPT_MIN_BYTES = 100_000;

const DESKTOP = { width: 1_440, height: 900 };
const WALL = { width: 2_560, height: 1_440 };
const PHONE = { width: 360, height: 800 };

let context: BrowserContext;
let page: Page;
let samples: Samples;
/** Errors in the browser, the server's rendering of the page included. */
const troubles: string[] = [];

test.beforeAll(async ({ browser }) => {
  page = await openBrowser(browser, { viewport: DESKTOP });
  context = page.context();
  page.on('pageerror', ({ message }) => troubles.push(message));
  page.on('console', (message) => message.type() === 'error' && troubles.push(message.text()));
  await page.addInitScript(holdIdleWork);
  await signInAsOwner(page);
  samples = await makeSamples(page);
});
test.afterEach(() => expect(troubles.splice(0)).toEqual([]));
test.afterAll(() => context.close());

const nameOf = (route: string) => route.slice(1).replaceAll(/[/[\]]+/g, '-');
const fileNameOf = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

async function keepPicture(name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: join(PICTURES, `${name}.png`) });
}

declare global {
  interface Window {
    /** Runs what waits for the page to be idle, and from now on runs it as usual. */
    releaseIdleWork: () => void;
  }
}

/** Lets nothing run that waits for the page to be idle: it loads scripts at a moment that depends on the machine. */
function holdIdleWork(): void {
  const request = window.requestIdleCallback.bind(window);
  const held: (() => void)[] = [];
  window.requestIdleCallback = (run, options) => held.push(() => request(run, options));
  window.releaseIdleWork = () => {
    window.requestIdleCallback = request;
    for (const run of held.splice(0)) run();
  };
}

/** Bytes of script that a browser which was never here takes over the wire before the page is usable. */
async function scriptBytes(route: string): Promise<number> {
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.clearBrowserCache');
  await devtools.detach();
  const scripts: Promise<number>[] = [];
  const count = (response: Response) => {
    if (response.request().resourceType() === 'script') scripts.push(transferred(response));
  };
  page.on('response', count);
  await page.goto(addressOf(route, samples), { waitUntil: 'load' });
  page.off('response', count);
  await page.evaluate(() => window.releaseIdleWork());
  return (await Promise.all(scripts)).reduce((sum, one) => sum + one, 0);
}

async function transferred(response: Response): Promise<number> {
  const { responseBodySize } = await response.request().sizes();
  return responseBodySize;
}

/** No content requires scrolling the page sideways. */
async function expectToFit(route: string, width: number): Promise<void> {
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(sideways, `${width} px`).toBeLessThanOrEqual(0);
  await keepPicture(`${nameOf(route)}-${width}`);
}

for (const route of routes) {
  test(`${route} loads at most 320 kB of script, is accessible in either scheme with what opens over it, and fits any screen`, async () => {
    await page.setViewportSize(PHONE);
    const bytes = await scriptBytes(route);
    expect(bytes).toBeGreaterThan(SCRIPT_MIN_BYTES);
    expect.soft(bytes).toBeLessThanOrEqual(SCRIPT_MAX_BYTES);
    await untilShown(page);
    await expectToFit(route, PHONE.width);
    await page.setViewportSize(DESKTOP);
    await untilShown(page);
    await expectAccessible(page, (scheme) => keepPicture(`${nameOf(route)}-${scheme}`));
    await expectOverlaysAccessible(page, route, (name) => keepPicture(`${nameOf(route)}-over-${fileNameOf(name)}`));
    await page.setViewportSize(WALL);
    await expectToFit(route, WALL.width);
  });
}

test('a page opens with its panel from the address alone', async () => {
  await page.goto(`${addressOf('/payments', samples)}&payment=${samples.paymentId}`);
  await expect(page.getByRole('complementary').filter({ hasText: samples.merchantOrderId ?? '' })).toBeVisible();
});
