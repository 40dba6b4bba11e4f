import { expectAccessible } from './fixtures/overlays.ts';
import { signInAsOwner } from './fixtures/staff.ts';
import { demo, expect, merchant, test } from './fixtures/test.ts';

test('a developer finds a refused request by its id, with what was sent, redacted, and what its error means', async ({
  page,
}) => {
  const requestId = crypto.randomUUID();
  const canary = `canary-${requestId.slice(0, 8)}`;
  const body = { merchantOrderId: canary, amount: 0, currency: 'NGN', customer: { email: `${canary}@example.com` } };
  const refused = await fetch(`${demo.webUrl}/v1/payments/initiate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${demo.secretKey}`, 'content-type': 'application/json', 'x-request-id': requestId },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(30_000),
  });
  expect(refused.status).toBe(400);
  expect(refused.headers.get('x-request-id')).toBe(requestId);

  await signInAsOwner(page);
  await page.goto(`/developers/requests?mode=test&q=${requestId}`);
  await expect(page.getByRole('row').filter({ hasText: '/v1/payments/initiate' })).toContainText('HTTP 400', { timeout: 15_000 });
  await page.goto('/overview?mode=test');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search', exact: true }).fill(requestId);
  await page.getByRole('option', { name: 'POST /v1/payments/initiate, HTTP 400' }).click();
  const panel = page.getByRole('complementary', { name: 'Request' });
  const sent = panel.getByRole('region', { name: 'the request body' });
  await expect(sent).toContainText('"amount": 0');
  await expect(sent).toContainText('"email": "[redacted]"');
  await expect(sent).not.toContainText('example.com');
  await expect(panel.getByRole('region', { name: 'the response body' })).toContainText('amount must be at least');
  await expectAccessible(page);
  await panel.getByRole('link', { name: 'bad_request' }).click();
  await expect(page).toHaveURL(/\/docs\/errors#badRequest$/);
});

test('a payment leads to the request that made it', async ({ page }) => {
  const { payment } = await merchant.initiate();
  await signInAsOwner(page);
  await page.goto(`/payments/${payment.paymentId}?mode=test`);
  await page.getByRole('link', { name: 'Of the first 10 minutes' }).click();
  await expect(page.getByRole('row').filter({ hasText: 'POST /v1/payments/initiate' })).toContainText('HTTP 200', {
    timeout: 15_000,
  });
  await page.getByRole('button', { name: 'POST /v1/payments/initiate' }).click();
  const panel = page.getByRole('complementary', { name: 'Request' });
  await expect(panel).toContainText('Bodies are kept of refused requests only.');
  await expect(panel.getByRole('link', { name: payment.paymentId })).toBeVisible();
});
