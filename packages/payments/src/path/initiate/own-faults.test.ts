import { createTestMerchant, reloadConfiguration } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { PaymentsContext } from '../../record/context.ts';
import { findPaymentDecision } from '../../record/decisions/stored-decision.ts';
import { openTestPayments, type TestPayments, withGateways } from '../../testing/context.ts';
import { settleOverdue } from '../sweeping/settle-overdue.ts';
import { type InitiateResult, initiate } from './initiate.ts';

let context: TestPayments;
let errors: string[] = [];
beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());

const UNTIMED = { add: () => undefined };
const CALL = { method: 'POST', url: '', httpStatus: 200, latencyMs: 1, request: null, answer: null, retryAfterMs: null } as const;
const OPENED = {
  outcome: 'yes',
  value: { reference: 'r', redirectUrl: 'https://checkout.paystack.com/r', accessCode: 'r', raw: {} },
  call: CALL,
} as const;
const REFUSED = {
  outcome: 'no',
  failure: { class: 'provider_fault', code: 'http_5xx', message: 'The gateway failed with HTTP 500.' },
  call: CALL,
} as const;
const NOT_FOUND = {
  outcome: 'no',
  failure: { class: 'our_configuration', code: 'not_found', message: 'The gateway knows no such payment.' },
  call: CALL,
} as const;

/** A merchant with accounts by these labels; those in `sealedElsewhere` do not open. */
async function merchantWith(labels: readonly string[], sealedElsewhere: readonly string[] = []): Promise<string> {
  const { merchantId, accounts } = await createTestMerchant(context, Object.fromEntries(labels.map((label) => [label, {}])));
  for (const label of sealedElsewhere) {
    const where = { merchantId_id: { merchantId, id: accounts[label] ?? '' } };
    await context.database.prisma.gatewayAccount.update({ where, data: { credentials: 'v1.k9.AAAA.AAAA.AAAA' } });
  }
  await reloadConfiguration(context, merchantId);
  return merchantId;
}

async function pay(merchantId: string, through: PaymentsContext, method: 'CARD' | 'QR' = 'CARD'): Promise<InitiateResult> {
  const configuration = context.resources.configuration.merchant(merchantId);
  if (configuration === undefined) throw new Error('the merchant is not known');
  errors = [];
  const reporting = { ...through, onError: (error: unknown, doing: string) => errors.push(`${doing}: ${String(error)}`) };
  const order = {
    merchantOrderId: context.newId(),
    amount: 2_500n,
    currency: 'NGN',
    metadata: null,
    redirectUrl: null,
    customer: { email: 'ada@example.com', id: null, phone: null },
    paymentMethod: method,
    customerCountry: null,
    requestedGateway: null,
  };
  return initiate(reporting, { configuration, mode: 'test' }, order, context.newId(), UNTIMED);
}

const payments = (merchantId: string) =>
  context.database.prisma.payment.findMany({ where: { merchantId }, include: { attempts: { orderBy: { position: 'asc' } } } });
const opening = () => withGateways(context, () => ({ open: async () => OPENED }));

describe('accounts whose credentials do not open here', () => {
  test('fail no payment when only they could take it: nothing is recorded, and the fault is reported', async () => {
    const merchantId = await merchantWith(['paystack-main'], ['paystack-main']);
    expect(await pay(merchantId, opening())).toEqual({ kind: 'unavailable' });
    expect(await payments(merchantId)).toEqual([]);
    expect(errors).toEqual([expect.stringContaining('credentials_do_not_open')]);
  });

  test('are left out, with the reason on record, when another account can take the payment', async () => {
    const merchantId = await merchantWith(['paystack-main', 'flutterwave-main'], ['paystack-main']);
    expect(await pay(merchantId, opening())).toMatchObject({ kind: 'initiated', payment: { status: 'PENDING' } });
    const [payment] = await payments(merchantId);
    expect(payment?.attempts.map(({ gateway }) => gateway)).toEqual(['flutterwave']);
    const decision = await findPaymentDecision(context.database, [merchantId], payment?.id ?? '');
    expect(JSON.stringify(decision?.routing)).toContain('not_configured');
  });

  test('are no excuse for a payment that they could not take either', async () => {
    const merchantId = await merchantWith(['paystack-main'], ['paystack-main']);
    const result = await pay(merchantId, opening(), 'QR');
    expect(result).toMatchObject({ kind: 'initiated', payment: { status: 'FAILED' } });
  });
});

test("an account without credentials is the merchant's to complete: the payment fails", async () => {
  const merchantId = await merchantWith(['paystack-main']);
  await context.database.prisma.gatewayAccount.updateMany({ where: { merchantId }, data: { credentials: null } });
  await reloadConfiguration(context, merchantId);
  expect(await pay(merchantId, opening())).toMatchObject({ kind: 'initiated', payment: { status: 'FAILED' } });
});

test('an account whose address must not be called fails no payment, before and after it is taken out of rotation', async () => {
  const merchantId = await merchantWith(['paystack-main']);
  await context.database.prisma.gatewayAccount.updateMany({
    where: { merchantId },
    data: { baseUrl: 'http://169.254.169.254/' },
  });
  await reloadConfiguration(context, merchantId);
  expect(await pay(merchantId, context)).toEqual({ kind: 'unavailable' });
  const configurationFault = { configurationFault: 'SETTINGS', configurationFaultAt: context.now() } as const;
  await context.database.prisma.gatewayAccount.updateMany({ where: { merchantId }, data: configurationFault });
  await reloadConfiguration(context, merchantId);
  expect(await pay(merchantId, context)).toEqual({ kind: 'unavailable' });
  expect((await payments(merchantId)).map(({ status }) => status)).toEqual(['INITIATED']);
});

describe('a connector that throws', () => {
  const broken = (open: () => Promise<typeof OPENED | typeof REFUSED>) =>
    withGateways(context, ({ name }) => ({
      open: name === 'paystack' ? () => Promise.reject(new TypeError('order is undefined')) : open,
      verify: async () => NOT_FOUND,
    }));

  test('is followed by the next account, and its attempt stays on watch', async () => {
    const merchantId = await merchantWith(['paystack-main', 'flutterwave-main']);
    const result = await pay(
      merchantId,
      broken(async () => OPENED),
    );
    expect(result).toMatchObject({ kind: 'initiated', payment: { status: 'PENDING' } });
    const [payment] = await payments(merchantId);
    expect(payment?.attempts.map(({ state }) => state)).toEqual(['UNKNOWN', 'OPENED']);
  });

  test('fails no payment when no other account is there; the payment is resumed once it works', async () => {
    const merchantId = await merchantWith(['paystack-main']);
    expect(
      await pay(
        merchantId,
        broken(async () => OPENED),
      ),
    ).toEqual({ kind: 'unavailable' });
    expect(errors[0]).toContain('The connector of paystack threw');
    const [left] = await payments(merchantId);
    expect(left?.status).toBe('INITIATED');
    // By the worker, at once.
    const repaired = withGateways(context, () => ({ open: async () => OPENED, verify: async () => NOT_FOUND }));
    await settleOverdue(repaired, (error) => errors.push(String(error)));
    expect((await payments(merchantId)).map(({ status }) => status)).toEqual(['PENDING']);
  });

  test('does not hide that the other gateway was asked and refused', async () => {
    const merchantId = await merchantWith(['paystack-main', 'flutterwave-main']);
    const result = await pay(
      merchantId,
      broken(async () => REFUSED),
    );
    expect(result).toMatchObject({ kind: 'initiated', payment: { status: 'FAILED' } });
  });
});
