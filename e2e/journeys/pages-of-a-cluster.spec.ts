import type { Page } from '@playwright/test';
import { addressOf, makeSamples, routes, type Samples, untilShown } from './fixtures/pages.ts';
import { openBrowser, signInAsOwner } from './fixtures/staff.ts';
import { expect, releaseContext, test } from './fixtures/test.ts';

/*
 * Every page on a database of several servers, whose planner refuses some statements: opened once, for all merchants and for one. The demo
 * has no past there, and so no settlement and no dispute with a page of its own: the statements of those pages run in their suites.
 */

const OF_THE_PAST = ['[settlementId]', '[disputeId]', '[incidentId]'];

const SERVER_ERROR = 500;
/** Answer to several queries in one request of which not all went well. */
const SOME_FAILED = 207;

let page: Page;
let samples: Samples;
/** Requests that the server could not answer, and errors in the browser. */
const troubles: string[] = [];

test.beforeAll(async ({ browser }) => {
  page = await openBrowser(browser);
  page.on('pageerror', ({ message }) => troubles.push(message));
  page.on('response', (response) => {
    const status = response.status();
    if (status >= SERVER_ERROR || status === SOME_FAILED) troubles.push(`HTTP ${status} of ${response.url()}`);
  });
  await signInAsOwner(page);
  samples = await makeSamples(page, { hasPast: false });
});
test.afterEach(() => expect(troubles.splice(0)).toEqual([]));
test.afterAll(() => releaseContext(page.context()));

for (const route of routes.filter((each) => !OF_THE_PAST.some((part) => each.includes(part)))) {
  test(`${route} shows what it is for`, async () => {
    const address = addressOf(route, samples);
    for (const of of [address, address.replace(/&merchant=[^&]+/, '')]) {
      await page.goto(of, { waitUntil: 'commit' });
      await untilShown(page);
      await expect(page.getByRole('alert').filter({ hasText: /\S/ })).toHaveCount(0);
    }
  });
}
