import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { expectAccessible } from './fixtures/overlays.ts';
import { choose, read, signInAsOwner } from './fixtures/staff.ts';
import { expect, test } from './fixtures/test.ts';

/** From a statement that was taken in until the worker has matched it, on a busy machine. */
const MATCHED_MS = 60_000;
const DAY_MS = 86_400_000;

const day = (at: number) => new Date(at).toISOString().slice(0, 10);
const payoutsSchema = z.object({
  payouts: z.array(
    z.object({
      settlementId: z.uuid(),
      merchantId: z.uuid(),
      gateway: z.string(),
      accountLabel: z.string(),
      reference: z.string(),
      net: z.string(),
      currency: z.string(),
      settledOn: z.iso.date(),
      arrived: z.string().nullable(),
    }),
  ),
});

test('a file of settlements is mapped, previewed and taken in; again it changes nothing, and an unreadable cell is named', async ({
  page,
}) => {
  await signInAsOwner(page);
  await page.goto('/settlements/files?mode=test');
  await page.getByRole('combobox', { name: /^Account/ }).click();
  await page
    .getByRole('option', { name: /^squad-main/ })
    .first()
    .click();
  const payout = `SQ-${randomUUID().slice(0, 8)}`;
  const rowsOf = (amount: string) =>
    [
      'Settlement reference,Settlement date,Merchant reference,Amount,Fee',
      `${payout},25/11/2026,no-such-order,${amount},37.50`,
      `${payout},25/11/2026,no-such-order-either,1000,15`,
      'Total,,,3500.50,52.50',
    ].join('\n');
  const take = async (amount: string) => {
    const file = { name: 'squad.csv', mimeType: 'text/csv', buffer: Buffer.from(rowsOf(amount)) };
    await page.locator('input[type=file]').setInputFiles(file);
    await page.getByRole('button', { name: 'Preview' }).click();
  };
  await take('much');
  await expect(page.getByRole('row').filter({ hasText: 'is no amount' })).toContainText('Amount');
  await expect(page.getByRole('button', { name: /^Import/ })).toBeHidden();
  await take('2500.50');
  const preview = page.getByRole('row').filter({ hasText: payout });
  await expect(preview).toContainText('3,500.50');
  await expect(preview).toContainText('NGN 3,448.00');
  await expect(page.getByText('2 rows. 1 row skipped, NGN 3,500.50.')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: 'The sum of other rows' })).toContainText('3,500.50');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Import 1 settlement' }).click();
  await expect(page.getByText('1 settlement with 4 lines imported.')).toBeVisible();
  await take('2500.50');
  await expect(page.getByText('This file was already imported')).toBeVisible();
});

test('a payout that a file has otherwise is replaced after a look at what follows, and withdrawn', async ({ page }) => {
  await signInAsOwner(page);
  await page.goto('/settlements/files?mode=test');
  await page.getByRole('combobox', { name: /^Account/ }).click();
  await page
    .getByRole('option', { name: /^squad-main/ })
    .first()
    .click();
  const payout = `SQ-${randomUUID().slice(0, 8)}`;
  const offer = async (amount: string, name: string) => {
    const row = `${payout},25/11/2026,no-such-order-${payout},${amount},37.50`;
    const text = ['Settlement reference,Settlement date,Merchant reference,Amount,Fee', row].join('\n');
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.getByRole('button', { name: 'Preview' }).click();
  };
  await offer('2500', `${payout}-cut-off.csv`);
  await expect(page.getByText('0 of 1 references are known in this account.')).toBeVisible();
  await page.getByRole('button', { name: 'Import 1 settlement anyway' }).click();
  await expect(page.getByText('1 settlement with 2 lines imported.')).toBeVisible();

  await offer('2600', `${payout}.csv`);
  await expect(page.getByText('Nothing is imported yet:')).toBeVisible();
  await page
    .getByRole('group', { name: `Correction of ${payout}` })
    .getByText('Replace')
    .click();
  await expect(page.getByRole('region', { name: 'Effect' }).getByRole('table').first()).toBeVisible({ timeout: MATCHED_MS });
  await expectAccessible(page);
  await page.getByRole('textbox', { name: 'Reason' }).fill('The file of the day before was cut off.');
  await page.getByRole('button', { name: 'Replace 1 settlement anyway' }).click();
  await expect(page.getByText('1 settlement replaced.')).toBeVisible();

  const row = page.getByRole('row').filter({ hasText: `${payout}.csv` });
  await row.getByRole('button', { name: 'Withdraw…' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByRole('region', { name: 'Payouts that are withdrawn' })).toContainText(payout);
  await expectAccessible(page);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('Of another company.');
  await dialog.getByRole('button', { name: 'Withdraw file' }).click();
  await expect(page.getByText(`The file ${payout}.csv is withdrawn.`)).toBeVisible({ timeout: MATCHED_MS });
});

test('a bank statement is taken in, and the payout that it names has arrived', async ({ page }) => {
  await signInAsOwner(page);
  const now = Date.now();
  const period = { merchantIds: [], mode: 'test', from: day(now - 60 * DAY_MS), to: day(now) };
  const { payouts } = await read(page, 'settlements.bank.read', period, payoutsSchema);
  // The demo's own statement has payouts of Paystack alone.
  const waiting = payouts.find(({ arrived, gateway }) => arrived === null && gateway === 'flutterwave');
  if (waiting === undefined) throw new Error('no payout of the demo waits for the bank');
  const { merchantId, accountLabel, gateway, reference, net, settledOn } = waiting;
  const from = day(Date.parse(settledOn) - DAY_MS);
  await page.goto(`/settlements/bank?mode=test&merchant=${merchantId}&from=${from}&to=${settledOn}`);
  const [year, month, date] = settledOn.split('-');
  const statement = [
    'Value date,Narration,Debit,Credit',
    `${date}/${month}/${year},${gateway.toUpperCase()} ${reference},,${net}`,
  ].join('\n');
  const file = { name: 'gtb.csv', mimeType: 'text/csv', buffer: Buffer.from(statement) };
  await page.locator('input[type=file]').setInputFiles(file);
  await page.getByLabel('Bank account').fill(`GTB ${randomUUID().slice(0, 6)}`);
  await page.getByRole('button', { name: 'Preview' }).click();
  await page.getByRole('button', { name: 'Import 1 line' }).click();
  await expect(page.getByText('1 line imported. Payouts are matched within a minute.')).toBeVisible();
  const isThere = async () => {
    const after = await read(page, 'settlements.bank.read', period, payoutsSchema);
    return after.payouts.find(({ settlementId }) => settlementId === waiting.settlementId)?.arrived;
  };
  await expect.poll(isThere, { timeout: MATCHED_MS }).toBe(net);
  await page.reload();
  const row = page.getByRole('row').filter({ hasText: reference }).filter({ hasText: accountLabel });
  await expect(row).toContainText('Arrived');
});

test('an ignore rule is made, says what it covers, and is switched off', async ({ page }) => {
  await signInAsOwner(page);
  await page.goto('/settlements?mode=test&view=accounts');
  const { 0: account } = await read(
    page,
    'settlements.accounts',
    { merchantIds: [], mode: 'test' },
    z.array(z.object({ merchantId: z.uuid(), accountLabel: z.string() })),
  );
  await page.goto(`/settlements/rules?mode=test&merchant=${account?.merchantId}`);
  await page.getByRole('button', { name: 'Create rule…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Create ignore rule' });
  await dialog.getByRole('combobox', { name: /^Account/ }).click();
  await page.getByRole('option').first().click();
  await choose(dialog.getByRole('combobox', { name: /^Discrepancy/ }), 'Less than expected');
  await dialog.getByLabel('Up to').fill('0.5');
  const reason = `Rounding ${randomUUID().slice(0, 6)}`;
  await dialog.getByLabel('Reason').fill(reason);
  await dialog.getByRole('button', { name: 'Create rule' }).click();
  const row = page.getByRole('row').filter({ hasText: reason });
  await expect(row).toContainText('Less than expected');
  await expect(row).toContainText('0.5');
  await row.getByRole('button', { name: 'Disable…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
  await expect(row.getByRole('button', { name: 'Disable…' })).toBeHidden();
});

test('a fee contract is entered, and the overcharges of a month are downloaded for the gateway', async ({ page }) => {
  await signInAsOwner(page);
  await page.goto('/fees?mode=test&view=contracts');
  await page.getByRole('button', { name: 'Enter a contract of squad-main' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Contract of squad-main' });
  await dialog.getByLabel('Percentage').fill('1.2');
  await dialog.getByLabel('Cap').fill('1500');
  const note = `No. ${randomUUID().slice(0, 6)}`;
  await dialog.getByLabel('Note').fill(note);
  await dialog.getByRole('button', { name: 'Enter contract' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('row').filter({ hasText: note })).toContainText('1.2%');

  await page.goto('/fees?mode=test');
  const files = page.getByRole('link', { name: /^CSV of the overcharges/ });
  await expect(async () => {
    await page.reload();
    await expect(files.first()).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: MATCHED_MS });
  const started = page.waitForEvent('download');
  await files.first().click();
  const stream = await (await started).createReadStream();
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8');
  const [titles = '', ...rows] = text.trim().split('\r\n');
  expect(titles).toContain('payment_id');
  expect(rows.length).toBeGreaterThan(0);
});
