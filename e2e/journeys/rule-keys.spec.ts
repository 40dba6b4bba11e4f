import { expectAccessible } from './fixtures/overlays.ts';
import { choose, signInAsOwner } from './fixtures/staff.ts';
import { expect, merchant, test } from './fixtures/test.ts';

const NAME = 'Gold Bank to Flutterwave';
const SHOTS = process.env.SCREENSHOTS;

test('staff declare a key of metadata, write a rule that compares it, and the next payment that sends it follows', async ({
  page,
}) => {
  const shoot = async (name: string) => {
    if (SHOTS !== undefined) await page.screenshot({ path: `${SHOTS}/${name}.png`, fullPage: true });
  };
  await signInAsOwner(page);
  await page.goto('/merchants?mode=test');
  await page
    .getByRole('link', { name: /Balogun Street Fabrics/ })
    .first()
    .click();
  const keys = page.getByRole('form', { name: 'Keys for rules' });
  await keys.getByRole('button', { name: 'Add key' }).click();
  await keys.getByLabel('Name in metadata').fill('tier');
  await choose(keys.getByRole('combobox', { name: 'Type' }), 'One of some values');
  await keys.getByRole('button', { name: 'Save keys' }).click();
  await expect(keys.getByLabel('Label')).toHaveAccessibleDescription(/Must not be empty/);
  await shoot('keys-refused');
  await keys.getByLabel('Label').fill('Customer tier');
  await keys.getByLabel('Values, separated by commas').fill('gold, silver');
  await keys.getByRole('button', { name: 'Save keys' }).click();
  await expect(page.getByText('The keys for rules were changed.')).toBeVisible();
  await expectAccessible(page);
  await shoot('keys');

  await page.goto('/routing?mode=test');
  await page.getByRole('link', { name: /Balogun Street Fabrics/ }).click();
  const inForce = Number(/Version (\d+)/.exec((await page.getByText(/Version \d+ is active/).textContent()) ?? '')?.[1]);
  await page.getByRole('button', { name: 'Edit rules' }).click();
  // The page of rules has a map too.
  await expect(page.getByRole('heading', { name: 'Analysis' })).toBeVisible();
  await page.getByRole('button', { name: /no rule, Bank/ }).click();
  await page.getByLabel('Name', { exact: true }).fill(NAME);
  await shoot('rule-short');
  await page.getByRole('button', { name: 'More conditions' }).click();
  await page.getByRole('button', { name: 'Condition on metadata' }).click();
  await page.getByRole('checkbox', { name: 'gold' }).check();
  await choose(page.getByRole('combobox', { name: /^Customer / }), 'New: has not paid here before');
  await page.getByRole('checkbox', { name: 'Sat' }).check();
  await page.getByLabel('Hours from').fill('18:00');
  await expect(page.getByLabel('Hours from')).toHaveAccessibleDescription(/time of day/i);
  await shoot('rule-wrong-hour');
  await page.getByLabel('Hours from').fill('');
  await page.getByRole('checkbox', { name: 'Sat' }).uncheck();
  await choose(page.getByRole('combobox', { name: /^Customer / }), 'Any customer');
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('combobox', { name: /^Payments as of/ }).click();
  await page.getByRole('option', { name: /Customer tier is gold/ }).click();
  await expect(page.getByRole('button', { name: /rule \d+, Bank/ }).first()).toBeVisible();
  await shoot('rule');

  await page.getByRole('tab', { name: 'Try a payment' }).click();
  await page.getByLabel('Amount, NGN').fill('500');
  await choose(page.getByRole('combobox', { name: /^Method/ }), 'Bank');
  await page.getByLabel('Customer tier').fill('gold');
  await expect(page.getByText(/matches rule "Gold Bank to Flutterwave" .*Customer tier is gold/)).toBeVisible();
  await expectAccessible(page);
  await shoot('try');

  await page.getByRole('tab', { name: 'Review and publish' }).click();
  await page.getByLabel('Reason', { exact: true }).fill('Gold customers are served first.');
  await shoot('publish');
  await page.getByRole('button', { name: `Publish version ${inForce + 1}` }).click();
  await expect(page.getByText(`Version ${inForce + 1} is active for`).first()).toBeVisible();
  const next = async (metadata: object) =>
    (await merchant.initiate({ amount: 500, paymentMethod: 'bank', metadata })).payment.routing.rationaleCode;
  await expect.poll(() => next({ tier: 'gold' })).toBe('smart_routing_rule');
  expect(await next({ tier: 'silver' })).toBe('default_provider_order');
  expect(await next({})).toBe('default_provider_order');
});
