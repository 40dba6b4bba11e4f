import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { untilHydrated } from './fixtures/hydrated.ts';
import { addressOf, makeSamples, type Samples, untilShown } from './fixtures/pages.ts';
import { addStaffUser, openBrowser, signInAsOwner } from './fixtures/staff.ts';
import { expect, test } from './fixtures/test.ts';

/*
 * The dashboard of people of the narrower roles: each page that their navigation names, and the pages behind rows. A page asks for nothing that
 * the role is refused.
 */

const { SCREENSHOTS } = process.env;

/** Pages of the navigation by role, in its order. */
const PAGES = {
  support: ['Overview', 'Payments', 'Refunds', 'Disputes', 'Health', 'Alerts', 'Gateways', 'Merchants', 'Webhooks', 'Developers'],
  developer: [
    ...[
      'Overview',
      'Payments',
      'Refunds',
      'Disputes',
      'Reconciliation',
      'Settlements',
      'Fees',
      'Month close',
      'Journal',
      'Reports',
    ],
    ...['Rules', 'Health', 'Alerts', 'Gateways', 'Merchants', 'Keys', 'Webhooks', 'Developers'],
  ],
} as const;
/** Pages behind a row that the role reads. */
const BEHIND = ['/payments/[paymentId]', '/customers/[paymentId]', '/merchants/[merchantId]'];

let samples: Samples;
test.beforeAll(async ({ browser }) => {
  const page = await openBrowser(browser);
  await signInAsOwner(page);
  samples = await makeSamples(page);
});

for (const role of ['support', 'developer'] as const) {
  test(`each page that ${role} is shown asks for nothing that the role is refused`, async ({ page, browser }) => {
    await signInAsOwner(page);
    const person = await openBrowser(browser, { viewport: { width: 1_440, height: 900 } });
    await addStaffUser(page, person, role);
    const refused: string[] = [];
    person.on('response', (response) => {
      if (response.status() === 403) refused.push(`${new URL(person.url()).pathname} ${new URL(response.url()).pathname}`);
    });
    await person.goto('/overview?mode=test');
    await untilHydrated(person);
    const links = person.getByRole('navigation', { name: 'Main' }).first().getByRole('link');
    await expect(links.filter({ hasText: 'Developers' })).toBeVisible();
    expect(await links.allTextContents()).toEqual(PAGES[role]);
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    for (const path of [...paths, ...BEHIND.map((route) => addressOf(route, samples))]) await look(person, path, role);
    expect(refused).toEqual([]);
  });
}

/** Opens a page, and waits until what it asks for is answered. */
async function look(person: Page, path: string, role: string): Promise<void> {
  await person.goto(path);
  await untilHydrated(person);
  await untilShown(person);
  await expect(person.getByText('Your role does not allow this')).toHaveCount(0);
  if (SCREENSHOTS === undefined) return;
  const name = new URL(person.url()).pathname.slice(1).replaceAll(/[^a-z]+/g, '-');
  await person.screenshot({ path: join(SCREENSHOTS, `${role}-${name}.png`) });
}
