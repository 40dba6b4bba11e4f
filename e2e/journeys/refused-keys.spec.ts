import { signInAsOwner } from './fixtures/staff.ts';
import { expect, faultyMerchant, test } from './fixtures/test.ts';

const REQUESTED = { requestedGateway: 'flutterwave', paymentMethod: 'bank' } as const;
const OUT = 'Flutterwave (flutterwave-main) is out of rotation';

test('staff see a key that a gateway refuses, and put the account back by testing the connection', async ({ page, gateways }) => {
  await gateways.setFault('flutterwave', 'invalid_key');
  for (let refused = 0; refused < 3; refused++) {
    const { payment } = await faultyMerchant.initiate(REQUESTED);
    expect(payment.recommendedGateway.name).toBe('paystack');
  }
  await signInAsOwner(page);
  await page.goto('/health?mode=test');
  const wrong = page.getByRole('region', { name: 'Current problems' });
  await expect(wrong).toContainText(
    'Out of rotation: Flutterwave refuses its credentials; replace them, or test the connection.',
  );
  await page.goto('/overview?mode=test');
  await expect(page.getByRole('list', { name: 'Health of gateways' })).toContainText('Credentials refused');
  const matter = page.getByRole('listitem').filter({ hasText: OUT });
  await expect(matter).toContainText('Flutterwave refuses its credentials; replace them, or test the connection.');
  await matter.getByRole('link', { name: `Fix: ${OUT}` }).click();

  const panel = page.getByRole('complementary', { name: 'Account flutterwave-main' });
  await expect(panel).toContainText('Out of rotation. Flutterwave refuses its credentials');
  await expect(page.getByRole('list', { name: 'Accounts' })).toContainText('Credentials refused');
  await panel.getByRole('button', { name: 'Test connection' }).click();
  await expect(panel.getByRole('status')).toContainText('Does not work. The credentials are at fault');

  await gateways.heal('flutterwave');
  await panel.getByRole('button', { name: 'Test connection' }).click();
  await expect(panel.getByRole('status')).toContainText('The account is back in rotation.');
  await expect(panel).not.toContainText('Out of rotation.');
  await expect(page.getByRole('list', { name: 'Accounts' })).not.toContainText('Credentials refused');
  const { payment } = await faultyMerchant.initiate(REQUESTED);
  expect(payment.recommendedGateway.name).toBe('flutterwave');
});
