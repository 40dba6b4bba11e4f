import { expectToArrive, signInAsOwner } from './fixtures/staff.ts';
import { expect, merchant, test } from './fixtures/test.ts';

test('support finds a customer by what they know of a payment, and is led from there to erasure', async ({ page }) => {
  const part = crypto.randomUUID().slice(0, 8);
  const email = `customer-${part}@example.com`;
  const amount = 730_000 + Math.floor(Math.random() * 9_000);
  const phone = `+234 803 ${String(Math.floor(Math.random() * 10_000_000)).padStart(7, '0')}`;
  const { payment } = await merchant.initiate({ amount, customer: { email, phone } });
  await signInAsOwner(page);
  await page.goto('/overview?mode=test');
  const results = page.getByRole('listbox', { name: 'Results' });
  const search = async (text: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill(text);
  };

  await search(`${amount.toLocaleString('en')} today`);
  await expect(results.getByRole('option', { name: /· Amount$/ })).toContainText(payment.merchantOrderId);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('combobox', { name: 'Search' })).toHaveCount(0);
  await search(phone.replace('+234 ', '0'));
  await expect(results.getByRole('option', { name: /· Phone$/ })).toContainText(payment.merchantOrderId);
  await results.getByRole('option', { name: email, exact: true }).click();

  await expect(page.getByRole('heading', { level: 1, name: email })).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: payment.merchantOrderId })).toContainText('Pending');
  await expect(page).toHaveURL(new RegExp(`/customers/${payment.paymentId}`));
  await page.getByText('Phone', { exact: true }).last().click();
  await expect(page).toHaveURL(/by=phone/);

  await page.getByRole('link', { name: 'Export or erase…' }).click();
  await expectToArrive(page, /\/privacy/);
  await expect(page.getByLabel('Phone number')).toHaveValue(phone);
  await expect(page.getByLabel('E-mail address')).toHaveValue('');
  await page.getByRole('button', { name: 'Preview erasure' }).click();
  await expect(page.getByRole('dialog')).toContainText('1 payment is still open.');
  expect(page.url()).not.toContain(part);

  await page.goto(`/payments/${payment.paymentId}?mode=test`);
  await page.getByRole('link', { name: 'View customer' }).click();
  await expect(page.getByRole('heading', { level: 1, name: email })).toBeVisible();
});
