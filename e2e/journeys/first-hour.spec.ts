import { z } from 'zod';
import { expectAccessible } from './fixtures/overlays.ts';
import { addMerchant, call, signInAsOwner } from './fixtures/staff.ts';
import { expect, test } from './fixtures/test.ts';

const SECRET = 'sk_test_0123456789abcdef0123456789abcdef01234567';
const SETTINGS = {
  enabled: true,
  currencies: ['NGN'],
  methods: ['CARD'],
  minAmount: 50,
  maxAmount: null,
  fees: null,
  baseUrl: null,
};

test('a new merchant is led through its set-up, each step done by what is there, and the checklist folds away', async ({
  page,
}) => {
  await signInAsOwner(page);
  const merchantId = await addMerchant(page, `First hour ${Date.now()}`);
  await page.goto(`/overview?mode=test&merchant=${merchantId}`);
  const checklist = page.getByRole('region', { name: /^Set up First hour/ });
  const stepOf = (title: string) => checklist.getByRole('listitem').filter({ hasText: title });
  const expectDone = (title: string) => expect(stepOf(title).getByRole('img', { name: 'Done' })).toBeVisible();
  const expectToDo = (title: string) => expect(stepOf(title).getByRole('img', { name: 'To do' })).toBeVisible();
  // The workspace has colleagues: those of the demo.
  await expectToDo('Add a gateway account');
  await expectToDo('Receive the first live payment');
  await expectAccessible(page);

  await checklist.getByRole('link', { name: 'Create a test key' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Server of the shop');
  await dialog.getByLabel('Full access').check();
  await dialog.getByRole('button', { name: 'Create key' }).click();
  await expect(dialog).toContainText('sk_test_');
  await dialog.getByRole('button', { name: /stored it/ }).click();
  await page.goto(`/overview?mode=test&merchant=${merchantId}`);
  await expectDone('Create a test key');

  // While the checklist is open it follows what happens elsewhere.
  const account = { gateway: 'paystack', label: 'paystack-main', credentials: { secretKey: SECRET }, ...SETTINGS };
  await call(page, 'gateways.connect', { merchantId, mode: 'test', ...account }, z.unknown());
  await expectDone('Add a gateway account');
  await expectToDo('Test its connection');

  await page.setViewportSize({ width: 390, height: 844 });
  const sideways = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  await expect.poll(sideways).toBeLessThanOrEqual(0);
  await checklist.getByRole('button', { name: 'Dismiss' }).click();
  await expect(checklist).toHaveCount(0);
  await page.getByRole('button', { name: 'Undo' }).click();
  await expect(checklist).toBeVisible();
  await checklist.getByRole('button', { name: 'Dismiss' }).click();
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Overview' })).toBeVisible();
  await expect(checklist).toHaveCount(0);
});
