import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { z } from 'zod';
import { expectAccessible } from './fixtures/overlays.ts';
import { expectToArrive, read, signInAsOwner } from './fixtures/staff.ts';
import { demo, expect, faultyMerchant as merchant, test } from './fixtures/test.ts';

/** A code of the simulator's that no document of the gateway lists. */
const CODE = 'transaction_reversed';
/** Time for counts to be written, and for the worker's next check of what needs attention. */
const COUNTED_WITHIN_MS = 30_000;
const ALERTED_WITHIN_MS = 60_000;
const { SCREENSHOTS } = process.env;
const codes = z.array(z.looseObject({ code: z.string(), total: z.number(), paymentIds: z.array(z.string()) }));

/** Keeps a picture of the page where SCREENSHOTS names a folder. */
async function keepPicture(page: Page, name: string): Promise<void> {
  if (SCREENSHOTS !== undefined) await page.screenshot({ path: join(SCREENSHOTS, `${name}.png`), fullPage: true });
}

test('a code that is in no table is counted, and an alert leads to it and to the payments that it came for', async ({
  page,
  request,
}) => {
  const { payment } = await merchant.initiate({ requestedGateway: 'paystack' });
  const { paymentId, merchantOrderId, recommendedGateway } = payment;
  const reference = recommendedGateway.session?.reference ?? '';
  const control = (path: string, data: object) => request.post(`${demo.sandboxUrl}/control/paystack/${path}`, { data });
  await control(`transactions/${reference}/settle`, { outcome: 'success' });
  await signInAsOwner(page);
  await expect
    .poll(async () => (await read(page, 'payments.byId', { paymentId }, z.object({ status: z.string() }))).status)
    .toBe('SUCCESS');

  // Refunded at Paystack itself: nothing is left, and the refusal has the code.
  await control('refunds', { reference, amount: 250_000 });
  await page.goto(`/payments/${paymentId}?mode=test`);
  await page.getByRole('button', { name: 'Refund', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Refund this payment' });
  await dialog.getByRole('radio', { name: 'Partial' }).check();
  await dialog.getByLabel('Amount').fill('100');
  await dialog.getByRole('button', { name: 'Refund NGN 100' }).click();
  await expect(dialog).toBeHidden();
  const counted = async () =>
    (await read(page, 'gateways.errorCodes', { merchantId: null, mode: 'test' }, codes)).find(({ code }) => code === CODE);
  await expect.poll(async () => (await counted())?.paymentIds, { timeout: COUNTED_WITHIN_MS }).toContain(paymentId);

  // Rows far down are drawn once they are scrolled to: the newest stand first, among the alerts of all journeys.
  await page.goto('/alerts?mode=test&sort=-began');
  const alert = page.getByRole('row').filter({ hasText: `Unknown error code ${CODE} at Paystack (paystack-main)` });
  await expect(alert).toContainText('It came 1 time in 30 days', { timeout: ALERTED_WITHIN_MS });
  await expect(alert).toContainText(/Started (just now|\d+ (s|min) ago)/);
  await keepPicture(page, 'unknown-code-alert');
  // The action is in sight at the width of a laptop.
  await expect(page.getByRole('region', { name: 'Open alerts, scrolls sideways' })).toHaveCount(0);
  await alert.getByRole('link', { name: /^View code/ }).click();
  await expectToArrive(page, new RegExp(`/gateways/error-codes\\?.*code=${CODE}`));
  const table = page.getByRole('table', { name: 'Error codes' });
  await expect(table.getByRole('row')).toHaveCount(2);
  const row = table.getByRole('row').filter({ hasText: CODE });
  await expect(row).toContainText('Unknown');
  await expect(row).toContainText('In no table');
  await expect(row).toContainText(/paystack-main, refund: \d/);
  await expectAccessible(page);
  await keepPicture(page, 'unknown-code');
  await page.goto('/gateways/error-codes?mode=test');
  await expect(row).toContainText(/paystack-main · .+, refund: \d/);
  await keepPicture(page, 'error-codes');
  await row.getByRole('link', { name: '1', exact: true }).click();
  await expectToArrive(page, new RegExp(`/payments/${paymentId}`));
  await expect(page.getByText(merchantOrderId).first()).toBeVisible();
});
