import { randomBytes } from 'node:crypto';
import { updateGateway } from '@switchyard/merchants/console/gateway-accounts';
import { testConnection } from '@switchyard/payments/console/test-connection';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { order, type Payment, readPayment } from '../harness/contract.ts';
import { eventually } from '../harness/eventually.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import type { WebProcess } from '../harness/web-process.ts';

let harness: Harness;
let replica: WebProcess;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
  replica = await harness.startWebProcess({});
});
afterEach(() => harness.gateways.heal());
afterAll(() => harness.close());

const INITIATE = '/v1/payments/initiate';

async function pay({ testKey: key }: TestMerchant, process: Pick<WebProcess, 'send'> = harness): Promise<Payment> {
  return readPayment(await process.send('node', 'POST', INITIATE, { key, body: order() }));
}

/** Payments until one that no longer goes first to Paystack; gives it, and how many went there before. */
async function payUntilOut(merchant: TestMerchant): Promise<{ before: Payment[]; after: Payment }> {
  const before: Payment[] = [];
  const after = await eventually('Paystack to be out of rotation', async () => {
    const payment = await pay(merchant);
    if (payment.routing.recommended?.provider !== 'paystack') return payment;
    before.push(payment);
    return null;
  });
  return { before, after };
}

async function change(merchant: TestMerchant, changes: Parameters<typeof updateGateway>[1]['changes']): Promise<void> {
  const { merchantId, accounts } = merchant;
  const command = { merchantId, accountId: accounts.paystack, changes, actor: 'system:test' };
  expect(await updateGateway(harness.switchyard, command)).toMatchObject({ kind: 'updated' });
}

const newKey = () => ({ secretKey: `sk_test_${randomBytes(18).toString('hex')}` });

function obstacle({ routing }: Payment) {
  return routing.candidates.find(({ provider }) => provider === 'paystack')?.ineligibleReason;
}

describe('an account whose key the gateway refuses', () => {
  test('is out of rotation after a few payments, which its fallback serves, in every process and for its own merchant alone', async () => {
    const merchant = await harness.merchant();
    const other = await harness.merchant();
    await change(merchant, { credentials: newKey() });
    const { before, after } = await payUntilOut(merchant);
    expect(before.length).toBeGreaterThanOrEqual(3);
    expect(before.length).toBeLessThanOrEqual(6);
    for (const payment of [...before, after]) {
      expect([payment.status, payment.recommendedGateway.name]).toEqual(['PENDING', 'flutterwave']);
    }
    expect(obstacle(after)).toBe('not_configured');
    expect(after.routing.reasons).toContainEqual({
      code: 'not_configured',
      title: expect.any(String),
      message: expect.stringMatching(
        /^paystack-main is out of rotation since \d\d:\d\d UTC: its gateway refuses its credentials; replace them, or test the connection\.$/,
      ),
      category: 'capability',
      severity: 'warning',
    });
    const elsewhere = await eventually('the other process to know', async () => {
      const payment = await pay(merchant, replica);
      return payment.routing.recommended?.provider === 'flutterwave' ? payment : null;
    });
    expect(obstacle(elsewhere)).toBe('not_configured');
    expect((await pay(other)).routing.recommended?.provider).toBe('paystack');
  });

  test('is back as soon as a connection test shows that the gateway accepts the key', async () => {
    const merchant = await harness.merchant();
    const credentials = newKey();
    await change(merchant, { credentials });
    await payUntilOut(merchant);
    const query = { merchantIds: [merchant.merchantId], accountId: merchant.accounts.paystack, actor: 'staff:ada' };
    const { payments } = harness.switchyard;
    expect(await testConnection(payments, query)).toMatchObject({ verdict: 'configuration' });
    expect(obstacle(await pay(merchant))).toBe('not_configured');

    await harness.gateways.register('paystack', { ...credentials, webhookUrl: harness.publicUrl });
    expect(await testConnection(payments, query)).toMatchObject({
      verdict: 'works',
      sentence: expect.stringMatching(/The account is back in rotation\.$/),
    });
    const served = await pay(merchant);
    expect([served.routing.recommended?.provider, served.recommendedGateway.name]).toEqual(['paystack', 'paystack']);
  });

  test('is back when its credentials are replaced, and not when something else of it is changed', async () => {
    const merchant = await harness.merchant();
    await change(merchant, { credentials: newKey() });
    await payUntilOut(merchant);
    await change(merchant, { minAmount: 200 });
    expect(obstacle(await pay(merchant))).toBe('not_configured');
    await change(merchant, { credentials: merchant.gatewayKeys.paystack });
    expect((await pay(merchant)).recommendedGateway.name).toBe('paystack');
  });
});

test('an account whose orders the gateway refuses while another one takes them is out too, and back when it is set up otherwise', async () => {
  const merchant = await harness.merchant();
  const right = harness.gateways.baseUrlOf('paystack');
  await change(merchant, { baseUrl: `${right}/elsewhere` });
  const { before, after } = await payUntilOut(merchant);
  expect(before.length).toBeGreaterThanOrEqual(3);
  expect(after.routing.reasons.find(({ code }) => code === 'not_configured')?.message).toMatch(
    /its gateway refuses its checkouts \(Paystack refused: .+\); correct its settings, then test the connection\.$/,
  );
  await change(merchant, { baseUrl: right });
  expect((await pay(merchant)).recommendedGateway.name).toBe('paystack');
});
