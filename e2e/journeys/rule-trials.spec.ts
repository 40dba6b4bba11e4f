import { expectAccessible } from './fixtures/overlays.ts';
import { signInAsOwner } from './fixtures/staff.ts';
import { expect, merchant, test } from './fixtures/test.ts';

const NAME = 'Tried Bank to Flutterwave';
const SHOTS = process.env.SCREENSHOTS;

test('staff publish rules for a share of customers, who are routed by them, and stop the trial; an earlier one says why it was rolled back', async ({
  page,
}) => {
  const shoot = async (name: string) => {
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
  };
  await signInAsOwner(page);
  await page.goto('/routing?mode=test');
  await page.getByRole('link', { name: /Balogun Street Fabrics/ }).click();
  const inForce = Number(/Version (\d+)/.exec((await page.getByText(/Version \d+ is active/).textContent()) ?? '')?.[1]);
  await page.getByRole('button', { name: 'Edit rules' }).click();
  await expect(page.getByRole('heading', { name: 'Analysis' })).toBeVisible();
  await page.getByRole('button', { name: /no rule, Bank/ }).click();
  await page.getByLabel('Name', { exact: true }).fill(NAME);
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.getByRole('tab', { name: 'Review and publish' }).click();
  await page.getByLabel('Reason').fill('A journey tries rules with some customers.');
  await page.getByRole('radio', { name: 'For a share of customers' }).click();
  await page.getByRole('combobox', { name: /^Share/ }).click();
  await page.getByRole('option', { name: '5% of customers', exact: true }).click();
  await shoot('trial-publish');
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Publish version \d+ for 5% of customers/ }).click();
  await expect(page.getByRole('heading', { name: /^Version \d+ against version \d+/ })).toBeVisible();
  await expect(page.getByText('Too few have paid or left to say anything yet.')).toBeVisible();
  await expectAccessible(page);
  await shoot('trial-running');

  await page.getByRole('button', { name: 'More customers' }).click();
  await page.getByRole('combobox', { name: /^Share/ }).click();
  await page.getByRole('option', { name: '50% of customers' }).click();
  await expectAccessible(page);
  await shoot('trial-widen');
  await page.getByRole('button', { name: 'Try with 50%' }).click();
  await expect(page.getByRole('status')).toContainText('routes 50% of customers');
  // A share of half cannot grow.
  await expect(page.getByRole('button', { name: 'More customers' })).toHaveCount(0);

  // About half of the customers go by the rule that is tried, each of them always.
  const next = async (place: number) =>
    (await merchant.initiate({ amount: 500, paymentMethod: 'bank', customer: { email: `trial-${place}@example.com` } })).payment
      .routing.rationaleCode;
  const customers = Array.from({ length: 12 }, (_, place) => place);
  const all = () => Promise.all(customers.map(next));
  await expect.poll(async () => new Set(await all()).size).toBe(2);
  expect(await all()).toEqual(await all());

  await page.goto(page.url().replace('/routing/canary', '/routing'));
  await expect(page.getByRole('region', { name: 'Trial' })).toContainText('routes 50% of customers');
  await expect(page.getByText(`Version ${inForce} is active`)).toBeVisible();
  await shoot('trial-on-rules');
  await page.getByRole('link', { name: 'View trial' }).click();
  await page.getByRole('button', { name: 'Promote now' }).click();
  await expect(page.getByRole('dialog')).toContainText('It then routes all customers instead of 50%');
  await shoot('trial-promote');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Stop the trial' }).click();
  await expect(page.getByText(/was stopped by hand. All customers are routed by version/)).toBeVisible();
  await expect.poll(async () => new Set(await all()).size).toBe(1);
  await page.goto(page.url().replace('/routing/canary', '/routing/history'));
  await expect(page.getByText('Was tried, not active').first()).toBeVisible();
  await shoot('trial-history');

  // The demo's own: a version that sent customers to an account that declines many.
  await page.goto('/routing/canary?mode=test');
  await page.getByRole('link', { name: /Lekki Garden Kitchen/ }).click();
  await expect(page.getByText(/was rolled back: the success rate under it is more than 1 point below/)).toBeVisible();
  await expect(page.getByRole('img', { name: /^Evidence for promoting and for rolling back/ })).toBeVisible();
  await expectAccessible(page);
  await shoot('trial-rolled-back');
  await page
    .getByRole('radio', { name: 'Table' })
    .or(page.getByRole('button', { name: 'Table' }))
    .first()
    .click();
  await expect(page.getByRole('table')).toBeVisible();
  await expectAccessible(page);
});

test('staff hold customers out, and the report says what it measures and how much is missing', async ({ page }) => {
  const shoot = async (name: string) => {
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
  };
  await signInAsOwner(page);
  await page.goto('/routing/earned?mode=test');
  await page.getByRole('link', { name: /Lekki Garden Kitchen/ }).click();
  await expect(page.getByText(/No customers are held out/)).toBeVisible();
  await page.getByRole('link', { name: 'the merchant’s settings' }).click();
  const heldOut = page.getByRole('group', { name: /^Held out/ });
  await heldOut.getByRole('radio', { name: '2% of customers' }).click();
  await expect(heldOut.getByRole('radio', { name: '2% of customers' })).toBeChecked();
  await page.getByRole('button', { name: 'Save changes' }).first().click();
  await expect(page.getByText('Lekki Garden Kitchen was changed.')).toBeVisible();
  await shoot('holdout-setting');
  await page.goto('/routing/earned?mode=test');
  await page.getByRole('link', { name: /Lekki Garden Kitchen/ }).click();
  await expect(page.getByText(/2% of customers are held out: routed by the default order/)).toBeVisible();
  await expectAccessible(page);
  await shoot('earned-empty');
  // Other journeys pay as this merchant.
  await page.getByRole('link', { name: 'the merchant’s settings' }).click();
  await heldOut.getByRole('radio', { name: 'None' }).check();
  await page.getByRole('button', { name: 'Save changes' }).first().click();
  await expect(page.getByRole('button', { name: 'Save changes' }).first()).toBeDisabled();
});
