import { join } from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { expectAccessible, expectOverlaysAccessible } from './fixtures/overlays.ts';
import { addressOf, lastMonth, makeSamples, routes, type Samples, untilShown } from './fixtures/pages.ts';
import { addMerchant, openBrowser, signInAsOwner } from './fixtures/staff.ts';
import { expect, releaseContext, test } from './fixtures/test.ts';

/*
 * Every page, found in the folder of pages: a new one is covered as soon as it exists. Each is checked with its dialogs and menus in
 * both schemes, from the smallest phone to a large screen, with the demo's data and of a merchant that has none, and saved as a
 * screenshot where PICTURES names a folder. Schemes differ in colours alone, so that one look at each size is enough: with data the
 * phone is dark, without any the large screen. Journeys look at the states that people bring pages into, not at pages as they open.
 */

const { PICTURES } = process.env;
const SCRIPT_MAX_BYTES = 320_000;
/** Less than this, and it was not the scripts that were counted. */
const SCRIPT_MIN_BYTES = 100_000;

interface Screen {
  readonly width: number;
  readonly height: number;
}
const SMALLEST: Screen = { width: 360, height: 800 };
const PHONE: Screen = { width: 390, height: 844 };
const LAPTOP: Screen = { width: 1_280, height: 720 };
const DESKTOP: Screen = { width: 1_440, height: 900 };
const WALL: Screen = { width: 2_560, height: 1_440 };

let context: BrowserContext;
let page: Page;
let samples: Samples;
/** Samples of a merchant with nothing: pages of a payment, a settlement and their like are not among its pages. */
let nothing: Samples;
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
  nothing = { merchantId: await addMerchant(page, `Nothing yet ${Date.now()}`), month: lastMonth() };
});
test.afterEach(() => expect(troubles.splice(0)).toEqual([]));
test.afterAll(() => releaseContext(context));

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

/** Bytes of script that the page takes over the wire before it is usable: those of a browser that was never here, cached or not. */
async function scriptBytes(route: string): Promise<number> {
  await page.goto(addressOf(route, samples), { waitUntil: 'load' });
  const bytes = await page.evaluate(transferredScripts);
  await page.evaluate(() => window.releaseIdleWork());
  return bytes;
}

/** Runs in the page. */
function transferredScripts(): number {
  return performance
    .getEntriesByType('resource')
    .filter((entry) => entry instanceof PerformanceResourceTiming)
    .filter(({ name }) => new URL(name).pathname.endsWith('.js'))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
}

/** No content requires scrolling the page sideways on these screens. It stays on the last. */
async function expectToFit(name: string, ...screens: readonly Screen[]): Promise<void> {
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  for (const screen of screens) {
    await page.setViewportSize(screen);
    await expect.poll(sideways, `${screen.width} px`).toBeLessThanOrEqual(0);
    await keepPicture(`${name}-${screen.width}`);
  }
}

for (const route of routes) {
  const name = nameOf(route);

  test(`${route} loads at most 320 kB of script, is accessible in either scheme with what opens over it, and fits any screen`, async () => {
    await page.setViewportSize(SMALLEST);
    const bytes = await scriptBytes(route);
    expect(bytes).toBeGreaterThan(SCRIPT_MIN_BYTES);
    expect.soft(bytes).toBeLessThanOrEqual(SCRIPT_MAX_BYTES);
    await untilShown(page);
    await expectToFit(name, SMALLEST);
    await expectAccessible(page, async (scheme) => {
      await expectToFit(`${name}-${scheme}`, ...(scheme === 'light' ? [LAPTOP, DESKTOP] : [PHONE]));
      await untilShown(page);
    });
    await page.setViewportSize(DESKTOP);
    await expectOverlaysAccessible(page, route, (overlay) => keepPicture(`${name}-over-${fileNameOf(overlay)}`));
    await expectToFit(name, WALL);
  });
}

/** Parts of addresses that a merchant with nothing has no value for. */
const OF_SOMETHING = /\[(?!merchantId|month)\w+\]/;

for (const route of routes.filter((each) => !OF_SOMETHING.test(each))) {
  test(`${route} of a merchant that has nothing yet is accessible in either scheme and fits any screen`, async () => {
    await page.setViewportSize(PHONE);
    await page.goto(addressOf(route, nothing));
    await untilShown(page);
    await expectAccessible(page, (scheme) =>
      expectToFit(`${nameOf(route)}-nothing-${scheme}`, ...(scheme === 'light' ? [PHONE] : [LAPTOP, DESKTOP])),
    );
  });
}

test('a page opens with its panel from the address alone', async () => {
  await page.goto(`${addressOf('/payments', samples)}&payment=${samples.paymentId}`);
  await expect(page.getByRole('complementary').filter({ hasText: samples.merchantOrderId ?? '' })).toBeVisible();
});
