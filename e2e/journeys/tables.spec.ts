import type { Page } from '@playwright/test';
import { expectAccessible } from './fixtures/overlays.ts';
import { openBrowser, signInAsOwner } from './fixtures/staff.ts';
import { expect, test } from './fixtures/test.ts';

const DEFAULT = ['Action', 'Actor', 'Object', 'Merchant', 'Time'];

const headers = (page: Page) => page.getByRole('table', { name: 'Audit log' }).getByRole('columnheader').allTextContents();

test('columns are chosen, ordered and pinned by the keyboard, are there in another browser, and go back', async ({
  page,
  browser,
}) => {
  await signInAsOwner(page);
  await page.goto('/audit?mode=test');
  await expect.poll(() => headers(page)).toEqual(DEFAULT);
  await page.getByRole('button', { name: 'Columns', exact: true }).press('Enter');
  await page.getByRole('checkbox', { name: 'Merchant', exact: true }).press('Space');
  await expect.poll(() => headers(page)).toEqual(['Action', 'Actor', 'Object', 'Time']);
  await page.getByRole('button', { name: 'Move Object', exact: true }).press('Alt+ArrowUp');
  await expect.poll(() => headers(page)).toEqual(['Action', 'Object', 'Actor', 'Time']);
  const pin = page.getByRole('button', { name: 'Pin Time', exact: true });
  await pin.press('Enter');
  await expect(pin).toHaveAttribute('aria-pressed', 'true');
  await expectAccessible(page);
  const chosen = ['Time', 'Action', 'Object', 'Actor'];
  await expect.poll(() => headers(page)).toEqual(chosen);
  await page.keyboard.press('Escape');

  const other = await openBrowser(browser, { viewport: { width: 560, height: 800 } });
  await signInAsOwner(other);
  await other.goto('/audit?mode=test');
  await expect.poll(() => headers(other)).toEqual(chosen);
  // Chosen columns are not left out where there is no room for them: the table scrolls, and the pinned column stays.
  const frame = other.getByRole('region', { name: 'Audit log, scrolls sideways' });
  const leftOf = async (name: string) => (await other.getByRole('columnheader', { name }).boundingBox())?.x ?? 0;
  const before = { time: await leftOf('Time'), action: await leftOf('Action') };
  await frame.evaluate((element) => element.scrollTo({ left: 60 }));
  await expect.poll(() => leftOf('Action')).toBeLessThan(before.action);
  expect(await leftOf('Time')).toBe(before.time);
  // The header stays in sight while the page scrolls.
  await other.mouse.wheel(0, 600);
  await expect
    .poll(async () => (await other.getByRole('columnheader', { name: 'Time' }).boundingBox())?.y ?? 0)
    .toBeGreaterThan(0);
  await expectAccessible(other);
  await other.close();

  await page.reload();
  await page.getByRole('button', { name: 'Columns', exact: true }).click();
  const kept = page.waitForResponse(/account\.setTable/);
  await page.getByRole('button', { name: 'Reset to default' }).click();
  await kept;
  await expect.poll(() => headers(page)).toEqual(DEFAULT);
  await page.reload();
  await expect.poll(() => headers(page)).toEqual(DEFAULT);
});

/** The number in an element's text or name; null where it has none. */
function numberIn(text: string | null): number | null {
  const found = /\d+/.exec(text ?? '');
  return found === null ? null : Number(found[0]);
}

test('the bell, the overview and the alerts have the same number of what needs attention, and list as many', async ({ page }) => {
  await signInAsOwner(page);
  const bell = async () => numberIn(await page.getByRole('link', { name: /items? needs? attention/ }).getAttribute('aria-label'));
  await page.goto('/overview?mode=test');
  const section = page.getByRole('region', { name: /Needs attention/ });
  const more = section.getByRole('button', { name: /Show the other/ });
  await expect(section.getByRole('heading')).toContainText(/\d/);
  if (await more.isVisible()) await more.click();
  // Others change what there is meanwhile: the three are read together until nothing has changed in between.
  await expect
    .poll(async () => {
      const found = [
        await bell(),
        numberIn(await section.getByRole('heading').textContent()),
        await section.getByRole('listitem').count(),
      ];
      return (found[0] ?? 0) > 0 && new Set(found).size === 1;
    })
    .toBe(true);
  await page.goto('/alerts?mode=test');
  const all = page.getByRole('group', { name: 'Severity' }).getByRole('button', { name: /^All/ });
  await expect
    .poll(async () => {
      // Only the rows of a long list that are near the view are in the page: its end says how many it has.
      const listed = await page.getByText(/^\d+ alerts?$/).textContent();
      const found = [await bell(), numberIn(await all.textContent()), numberIn(listed)];
      return (found[0] ?? 0) > 0 && new Set(found).size === 1;
    })
    .toBe(true);
});
