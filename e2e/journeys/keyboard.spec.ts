import type { Locator, Page } from '@playwright/test';
import { untilHydrated } from './fixtures/hydrated.ts';
import { expectToArrive, signInAsOwner } from './fixtures/staff.ts';
import { expect, test } from './fixtures/test.ts';

/*
 * Groups of which one is chosen are one stop of the tab key each, and the arrow keys go through them. What is chosen is the stop.
 */

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await untilHydrated(page);
}

/** That a press of the tab key leaves the group, forwards and backwards, and comes back to what is chosen. */
async function expectOneStop(page: Page, group: Locator, chosen: Locator): Promise<void> {
  await chosen.focus();
  for (const [away, back] of [
    ['Tab', 'Shift+Tab'],
    ['Shift+Tab', 'Tab'],
  ] as const) {
    await page.keyboard.press(away);
    await expect(group.locator(':focus')).toHaveCount(0);
    await page.keyboard.press(back);
    await expect(chosen).toBeFocused();
  }
}

test('views of the same data are chosen by the arrow keys', async ({ page }) => {
  await signInAsOwner(page);
  await open(page, '/health?mode=test');
  const views = page.getByRole('group', { name: 'How far back' });
  const view = (name: string) => views.getByRole('radio', { name });
  await expectOneStop(page, views, view('90 min'));
  await page.keyboard.press('ArrowRight');
  await expect(view('24 h')).toBeChecked();
  await expect(view('24 h')).toBeFocused();
  await expect(page).toHaveURL(/span=24h/);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(view('30 days')).toBeChecked();
  await expect(page).toHaveURL(/span=30d/);
  await expectOneStop(page, views, view('30 days'));
});

/** That the arrow keys, Home and End go through tabs of which the first is shown, round their ends, and show what they reach. */
async function expectTabs(page: Page, tabs: Locator): Promise<void> {
  const [first, last] = [tabs.getByRole('tab').first(), tabs.getByRole('tab').last()];
  await expectOneStop(page, tabs, first);
  for (const [key, reached] of [
    ['ArrowLeft', last],
    ['ArrowRight', first],
    ['End', last],
    ['Home', first],
  ] as const) {
    await page.keyboard.press(key);
    await expect(reached).toBeFocused();
    await expect(reached).toHaveAttribute('aria-selected', 'true');
    await expect(page.getByRole('tabpanel')).toHaveAttribute('aria-labelledby', (await reached.getAttribute('id')) ?? '');
  }
}

test('tabs are gone through by the arrow keys, Home and End, and show what they reach', async ({ page }) => {
  await signInAsOwner(page);
  await open(page, '/developers/graphql?mode=test');
  await expectTabs(page, page.getByRole('tablist', { name: 'Explorer' }));
});

test('the steps of a rule draft are gone through by the same keys, and the address follows', async ({ page }) => {
  await signInAsOwner(page);
  await open(page, '/routing?mode=test');
  await page.getByRole('link', { name: /Balogun Street Fabrics/ }).click();
  await page.getByRole('button', { name: 'Edit rules' }).click();
  await expectToArrive(page, /\/routing\/drafts\//);
  const steps = page.getByRole('tablist', { name: 'Steps of the draft' });
  await expectTabs(page, steps);
  await expect(steps.getByRole('tab', { selected: true })).toHaveText('Rules');
  await page.keyboard.press('ArrowRight');
  await expect(page).toHaveURL(/tab=try/);
  await expect(page.getByRole('tabpanel', { name: 'Try a payment' })).toBeVisible();
});

test('options of a form are gone through by the arrow keys', async ({ page }) => {
  await signInAsOwner(page);
  await open(page, '/developers/tokens?mode=test');
  await page.getByRole('button', { name: 'Create token' }).click();
  const options = page.getByRole('dialog').getByRole('group', { name: 'Expires' });
  const chosen = options.getByRole('radio', { checked: true });
  await expectOneStop(page, options, chosen);
  const before = await chosen.evaluate((radio) => radio.parentElement?.textContent ?? '');
  await page.keyboard.press('ArrowDown');
  await expect(chosen).toBeFocused();
  await expect(chosen).not.toHaveAccessibleName(before);
  await page.keyboard.press('ArrowUp');
  await expect(chosen).toHaveAccessibleName(before);
});

test('a list is walked by j and k and the arrows, its rows are chosen by x and opened by Enter', async ({ page }) => {
  await signInAsOwner(page);
  await open(page, '/payments?mode=test&to=today-1');
  const rows = page.getByRole('table', { name: 'Payments' }).getByRole('row');
  const focused = (row: number) => rows.nth(row).locator(':focus');
  await page.keyboard.press('j');
  await expect(focused(1)).toHaveCount(1);
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  await expect(focused(3)).toHaveCount(1);
  await page.keyboard.press('k');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Payment' })).toBeVisible();
  await expect(page).toHaveURL(/[?&]payment=/);

  await open(page, '/reconciliation?mode=test');
  const boxes = page.getByRole('table', { name: 'Discrepancies' }).getByRole('checkbox', { name: /^Select (?!all)/ });
  await expect(boxes.first()).toBeVisible();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await expect(boxes.first()).toBeChecked();
});
