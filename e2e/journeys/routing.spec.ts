import type { Locator, Page } from '@playwright/test';
import { expectAccessible } from './fixtures/overlays.ts';
import { choose, openBrowser, signInAsOwner } from './fixtures/staff.ts';
import { expect, MAIN, merchant, test } from './fixtures/test.ts';

const NAME = 'Small Bank to Flutterwave';
const REASON = 'A journey shows that payments follow.';

const NO_RULE = 'NGN|BANK|0-*';
const UNDER_THE_RULE = 'NGN|BANK|0-1000';

/** The rule that decides the next small Bank payment, independent of health. A publication takes effect within a second or two. */
async function expectNextBy(contextKey: string): Promise<void> {
  await expect
    .poll(async () => (await merchant.initiate({ amount: 500, paymentMethod: 'bank' })).payment.routing.contextKey)
    .toBe(contextKey);
}

/** The rule's own line; what undoes its deletion is named after it too. */
function inTheList(page: Page): Locator {
  return page.getByRole('button', { name: new RegExp(`^\\d+ ${NAME}`) });
}

function accountsOf(page: Page): Locator {
  return page.getByRole('list', { name: 'Accounts of the rule' }).getByRole('listitem');
}

test('staff write, analyse, try, replay, shadow, publish and roll back a rule, and the next payment follows', {
  tag: MAIN,
}, async ({ page }) => {
  await expectNextBy(NO_RULE);
  await signInAsOwner(page);

  await page.goto('/routing?mode=test');
  await page.getByRole('link', { name: /Balogun Street Fabrics/ }).click();
  await expect(page.getByRole('heading', { name: 'Map', exact: true })).toBeVisible();
  const inForce = Number(/Version (\d+)/.exec((await page.getByText(/Version \d+ is active/).textContent()) ?? '')?.[1]);
  await page.getByRole('button', { name: 'Edit rules' }).click();
  await expect(page.getByRole('heading', { name: 'Analysis' })).toBeVisible();

  // Written from the map: the field that no rule covers.
  await page.getByRole('button', { name: /no rule, Bank/ }).click();
  await page.getByLabel('Name', { exact: true }).fill(NAME);
  await page.getByRole('textbox', { name: 'Up to, inclusive' }).fill('1,000');
  await expect(accountsOf(page).first()).toContainText('paystack-main');
  await page.getByRole('button', { name: 'Move flutterwave-main', exact: true }).first().press('Alt+ArrowUp');
  await expect(accountsOf(page).first()).toContainText('flutterwave-main');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expectAccessible(page);

  // Analysed: a problem is shown beside its field, and disappears when it is fixed.
  const top = page.getByRole('textbox', { name: 'Up to, inclusive' });
  const bottom = page.getByRole('textbox', { name: 'From', exact: true });
  await bottom.fill('2,000');
  await expect(top).toHaveAccessibleDescription(/Must not be below/);
  await bottom.fill('0');
  await expect(top).toHaveAccessibleDescription('');

  // A rule that is deleted comes back.
  await page.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(inTheList(page)).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(inTheList(page)).toBeVisible();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  await page.getByRole('tab', { name: 'Try a payment' }).click();
  await page.getByLabel('Amount, NGN').fill('500');
  await choose(page.getByRole('combobox', { name: /^Method/ }), 'Bank');
  await page.getByLabel('Ignore current health and overrides').check();
  await expect(page.getByRole('heading', { name: 'Goes to flutterwave-main' })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Use a past payment' }).click();
  await page.getByRole('list', { name: 'Payments' }).getByRole('button').first().click();
  await expect(page.getByText(/^From payment/)).toBeVisible();
  await expect(page.getByRole('heading', { name: /^Goes to/ })).toBeVisible();
  const refundHarness = page.viewportSize() ?? { width: 1_280, height: 720 };
  await page.setViewportSize({ width: 390, height: 844 });
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(sideways).toBeLessThanOrEqual(0);
  await page.setViewportSize(refundHarness);

  await page.getByRole('tab', { name: 'Replay' }).click();
  await expect(page.getByRole('heading', { name: 'What moves' })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'flutterwave-main' }).first()).toBeVisible();
  await expectAccessible(page);
  await expect(page.getByText('as things stood at its time')).toBeVisible();
  await page.getByRole('button', { name: "With today's accounts and fees" }).click();
  await expect(page).toHaveURL(/with=today/);
  await expect(page.getByText("with today's accounts, their limits and fees")).toBeVisible();
  await expect(page.getByRole('heading', { name: 'What moves' })).toBeVisible();
  await expectAccessible(page);

  // Beside live traffic: the next payment is routed as before, and shown with where the draft would have sent it.
  await page.getByRole('tab', { name: 'Shadow' }).click();
  await choose(page.getByRole('combobox', { name: /^Run for/ }), '1 hour');
  await page.getByRole('button', { name: 'Start shadow run' }).click();
  await expect(page.getByText(/Running in shadow, ends/)).toBeVisible();
  await expectNextBy(NO_RULE);
  await expect(page.getByRole('table', { name: 'Payments that change their first account, by outcome' })).toBeVisible({
    timeout: 20_000,
  });
  await expect(page.getByRole('cell', { name: 'flutterwave-main' }).first()).toBeVisible();
  await expectAccessible(page);

  await page.getByRole('tab', { name: 'Review and publish' }).click();
  await expect(page.getByText('1 rule new')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Map before and after' })).toBeVisible();
  await expect(page.getByText(new RegExp(`“${NAME}” takes \\d+ payments? a week from the default order`))).toBeVisible();
  await expect(page.getByText(/\d+ payments?.* moves? from paystack-main to flutterwave-main/)).toBeVisible();
  await expectAccessible(page);
  const publish = `Publish version ${inForce + 1}`;
  await expect(page.getByRole('button', { name: publish })).toBeDisabled();
  await page.getByLabel('Reason').fill(REASON);
  await page.getByRole('button', { name: publish }).click();
  await expect(page.getByText(`Version ${inForce + 1} is active for`).first()).toBeVisible();
  await expect(page.getByText(REASON)).toBeVisible();
  await expectNextBy(UNDER_THE_RULE);

  await page.goto('/routing/history?mode=test');
  await page.getByRole('link', { name: /Balogun Street Fabrics/ }).click();
  await page.getByRole('button', { name: new RegExp(`^Version ${inForce}\\b`) }).click();
  await expect(page).toHaveURL(new RegExp(`version=${inForce}`));
  await expectAccessible(page);
  await page.getByRole('button', { name: `Roll back to version ${inForce}` }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText(/payments?.* moves? from flutterwave-main to paystack-main/);
  await question.getByLabel('Reason').fill(REASON);
  await question.getByRole('button', { name: `Roll back to version ${inForce}` }).click();
  await expect(page.getByText(`rolled back to version ${inForce}`)).toBeVisible();
  await expectNextBy(NO_RULE);
});

test('two staff users in one draft see each other, and neither loses a change', async ({ page, browser }) => {
  await signInAsOwner(page);
  await page.goto('/routing?mode=test');
  await page.getByRole('link', { name: /Balogun Street Fabrics/ }).click();
  await page.getByRole('button', { name: 'Edit rules' }).click();
  await page.getByRole('button', { name: 'Add a rule' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Begun together');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();

  const other = await openBrowser(browser);
  await signInAsOwner(other);
  await other.goto(page.url());
  const otherPage = other.getByLabel('Name', { exact: true });
  const mine = page.getByLabel('Name', { exact: true });
  await expect(otherPage).toHaveValue('Begun together');
  // Both write before either page receives the other's change.
  await other.route('**/api/trpc/**', (route) => (route.request().method() === 'POST' ? route.abort() : route.fallback()));
  await otherPage.fill('What the other one wrote');
  await expect(other.getByText(/^Not saved/)).toBeVisible();
  await mine.fill('What I wrote');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await other.unroute('**/api/trpc/**');
  await other.getByRole('button', { name: 'Try again' }).click();

  const notice = other.getByRole('region', { name: /saved this draft/ });
  await expect(notice).toContainText('What I wrote');
  await expect(notice).toContainText('What the other one wrote');
  await expectAccessible(other);
  await notice.getByRole('button', { name: 'Keep mine' }).click();
  await expect(notice).toBeHidden();
  await expect(otherPage).toHaveValue('What the other one wrote');
  await expect(other.getByText('Saved', { exact: true })).toBeVisible();
  await other.getByRole('link', { name: 'Rules', exact: true }).first().click();
  await other.getByRole('link', { name: /as .* had it/ }).click();
  await expect(other.getByText('What I wrote').first()).toBeVisible();

  for (let left = 2; left > 0; left--) {
    await other.getByRole('button', { name: 'More', exact: true }).click();
    await other.getByRole('button', { name: 'Discard draft' }).click();
    await other
      .getByRole('dialog', { name: /^Discard / })
      .getByRole('button', { name: 'Discard draft' })
      .click();
    await expect(other).toHaveURL(/\/routing\?/);
    if (left > 1) await other.goto(page.url());
  }
});
