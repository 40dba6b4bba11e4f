import { createHmac } from 'node:crypto';
import { NIL_ID } from '@switchyard/db';
import { createTestMerchant, reloadConfiguration, type TestMerchant } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PaymentsContext } from '../record/context.ts';
import { openTestPayments, type TestPayments } from '../testing/context.ts';
import { recordPayment } from '../testing/past.ts';
import { readBody } from './queries.ts';
import { receiveGatewayWebhook } from './receive-webhook.ts';

const SECRET_KEY = 'sk_test_0123456789abcdef';
const HOUR_MS = 3_600_000;

let context: TestPayments;
let merchant: TestMerchant;
let accountId: string;

beforeAll(async () => {
  context = await openTestPayments();
});
afterAll(() => context.close());
beforeEach(async () => {
  merchant = await createTestMerchant(context, { 'paystack-main': {} });
  accountId = merchant.accounts['paystack-main'] ?? '';
});

interface Charge {
  readonly reference: string;
  readonly id?: number;
  readonly paidAt?: Date;
}

/** A charge as Paystack reports it, signed with the account's key. */
function charge({ reference, id = 302_961, paidAt = context.now() }: Charge, key = SECRET_KEY) {
  const data = { id, reference, status: 'success', amount: 250_000, currency: 'NGN', paid_at: paidAt.toISOString() };
  const body = Buffer.from(JSON.stringify({ event: 'charge.success', data }));
  return { body, headers: { 'x-paystack-signature': createHmac('sha512', key).update(body).digest('hex') } };
}

type Delivery = ReturnType<typeof charge>;

const receive = (delivery: Delivery, to: { gateway?: string; accountId?: string } = {}, at: PaymentsContext = context) =>
  receiveGatewayWebhook(at, { gateway: 'paystack', accountId, ...to, delivery });

const merchantId = () => merchant.merchantId;
const stored = () => context.database.prisma.gatewayWebhook.findMany({ where: { merchantId: merchantId() } });
const refused = (of: string) => context.database.prisma.refusedWebhook.findMany({ where: { merchantId: of } });

const followUps = async (of = merchantId()) =>
  (await context.database.prisma.webhookFollowUp.findMany({ where: { merchantId: of } })).map(({ about }) => about);

async function openCheckout(): Promise<{ attemptId: string; reference: string }> {
  const { paymentId } = await recordPayment(context, merchantId());
  const { id, reference } = await context.database.prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  return { attemptId: id, reference };
}

describe('a genuine webhook', () => {
  test('is stored once with one follow-up, however many copies arrive at once at two processes', async () => {
    const { attemptId, reference } = await openCheckout();
    const other = await context.beside();
    const copies = await Promise.all(
      Array.from({ length: 10 }, (_, n) => receive(charge({ reference }), {}, n % 2 === 0 ? context : other)),
    );
    expect(new Set(copies.map(({ kind }) => kind))).toEqual(new Set(['accepted']));
    expect(await stored()).toMatchObject([{ accountId, reference, deliveries: 10 }]);
    expect(await followUps()).toEqual([{ kind: 'payment', attemptId }]);
  });

  test('about a reference that we never issued is stored and changes nothing', async () => {
    expect(await receive(charge({ reference: 'sy-of-another-switch' }))).toEqual({ kind: 'accepted' });
    expect(await stored()).toHaveLength(1);
    expect(await followUps()).toEqual([]);
  });

  test('is verified on its raw bytes and stored without secrets and card data, its numbers exact', async () => {
    const { attemptId, reference } = await openCheckout();
    const authorization = { authorization_code: 'AUTH_72btv547xk', bin: '408408', last4: '4081' };
    const log = { input: [{ value: '4084 0840 8408 4081' }], key: SECRET_KEY, query: 'card%204084084084084081' };
    const data = { id: 1, reference, status: 'success', amount: 250_000, currency: 'NGN', authorization, log };
    // Spaces, escapes and 19 digits are signed as they are.
    const text = JSON.stringify({ event: 'charge.success', data }, null, 2).replace('"id": 1', '"id": 3029610000000000001');
    const body = Buffer.from(text.replace('"success"', '"s\\u0075ccess"'));
    const signature = createHmac('sha512', SECRET_KEY).update(body).digest('hex');
    expect(await receive({ body, headers: { 'x-paystack-signature': signature } })).toEqual({ kind: 'accepted' });
    const [webhook] = await stored();
    expect(webhook).toMatchObject({ reference, transactionId: '3029610000000000001' });
    expect(await followUps()).toEqual([{ kind: 'payment', attemptId }]);
    if (webhook === undefined) throw new Error('the webhook was stored');
    const kept = readBody(webhook);
    for (const leaked of ['AUTH_', SECRET_KEY, '4084 0840', '4084084084084081']) expect(kept).not.toContain(leaked);
    for (const part of [reference, '3029610000000000001', '408408', '250000']) expect(kept).toContain(part);
  });

  test('shows that an account’s webhooks arrive where it is about a payment, and no other does', async () => {
    const { reference } = await openCheckout();
    const body = Buffer.from(JSON.stringify({ event: 'transfer.success', data: { reference } }));
    const headers = { 'x-paystack-signature': createHmac('sha512', SECRET_KEY).update(body).digest('hex') };
    expect(await receive({ body, headers })).toEqual({ kind: 'accepted' });
    expect(context.webhookArrivals.arrive(accountId)).toBe(false);
    expect(await receive(charge({ reference }))).toEqual({ kind: 'accepted' });
    await expect.poll(() => context.webhookArrivals.arrive(accountId)).toBe(true);
  });

  test('names an attempt at its own account only', async () => {
    const { reference } = await openCheckout();
    const other = await createTestMerchant(context, { 'paystack-main': {} });
    expect(await receive(charge({ reference }), { accountId: other.accounts['paystack-main'] ?? '' })).toEqual({
      kind: 'accepted',
    });
    expect(await stored()).toEqual([]);
    expect(await context.database.prisma.gatewayWebhook.count({ where: { merchantId: other.merchantId, reference } })).toBe(1);
    expect(await followUps(other.merchantId)).toEqual([]);
  });
});

describe('a webhook of a dispute', () => {
  const dispute = (event: string, reference: string, changes: object = {}): Delivery => {
    const transaction = { id: 77, reference, amount: 250_000, currency: 'NGN' };
    const data = { id: 358_950, status: 'awaiting-merchant-feedback', transaction, ...changes };
    const body = Buffer.from(JSON.stringify({ event: `charge.dispute.${event}`, data }));
    return { body, headers: { 'x-paystack-signature': createHmac('sha512', SECRET_KEY).update(body).digest('hex') } };
  };
  const readings = async () => {
    const { rows } = await context.database.pool.query('SELECT key FROM graphile_worker.jobs WHERE key = $1', [
      `read-disputes:${accountId}`,
    ]);
    return rows.length;
  };

  test('is followed up each time that it says something else', async () => {
    const { attemptId, reference } = await openCheckout();
    for (const hour of [1, 2, 3]) await receive(dispute('remind', reference, { updatedAt: `2026-11-20T0${hour}:00:00Z` }));
    await receive(dispute('resolve', reference, { resolution: 'auto-accepted', resolvedAt: '2020-11-24T14:00:02Z' }));
    await receive(dispute('resolve', reference, { resolution: 'declined', resolvedAt: '2020-11-24T14:00:02Z' }));
    expect(await stored()).toHaveLength(5);
    expect(await followUps()).toEqual(
      Array.from({ length: 5 }, () => ({ kind: 'dispute', attemptId, gatewayDisputeId: '358950' })),
    );
  });

  test('of a payment that is not in the ledger is followed up as well', async () => {
    await receive(dispute('create', 'of-another-shop'));
    expect(await followUps()).toEqual([{ kind: 'dispute', attemptId: null, gatewayDisputeId: '358950' }]);
  });

  test('with the bytes of one before has the disputes of the account read again', async () => {
    const { reference } = await openCheckout();
    await receive(dispute('remind', reference));
    expect(await readings()).toBe(0);
    await receive(dispute('remind', reference));
    expect(await stored()).toMatchObject([{ deliveries: 2 }]);
    expect(await readings()).toBe(1);
  });
});

describe('a webhook that is refused', () => {
  test('because of its signature is counted at the account, and not stored', async () => {
    const { reference } = await openCheckout();
    const forged = charge({ reference }, 'sk_test_of_someone_else_0');
    expect([await receive(forged), await receive(forged)]).toEqual([{ kind: 'refused' }, { kind: 'refused' }]);
    expect(await refused(merchantId())).toMatchObject([{ accountId, why: 'bad_signature', count: 2 }]);
    expect(await stored()).toEqual([]);
  });

  test('because it is older than gateways retry is counted, one within that time is taken', async () => {
    const { reference } = await openCheckout();
    const before = (hours: number) => new Date(context.now().getTime() - hours * HOUR_MS);
    expect(await receive(charge({ reference, id: 1, paidAt: before(96.1) }))).toEqual({ kind: 'stale' });
    expect(await refused(merchantId())).toMatchObject([{ why: 'stale', count: 1 }]);
    expect(await receive(charge({ reference, id: 2, paidAt: before(95.9) }))).toEqual({ kind: 'accepted' });
    expect(await stored()).toHaveLength(1);
  });

  test.each([
    ['do not open here', 'v1.k9.AAAA.AAAA.AAAA'],
    ['are missing', null],
  ])('because credentials of its account %s asks for it again, and counts for that account', async (_why, credentials) => {
    const where = { merchantId_id: { merchantId: merchantId(), id: accountId } };
    const { reference } = await openCheckout();
    const { credentials: right } = await context.database.prisma.gatewayAccount.findUniqueOrThrow({ where });
    await context.database.prisma.gatewayAccount.update({ where, data: { credentials } });
    await reloadConfiguration(context, merchantId());
    expect(await receive(charge({ reference }))).toEqual({ kind: 'unreadable_account' });
    expect(await refused(merchantId())).toMatchObject([{ accountId, why: 'unreadable_account', count: 1 }]);
    expect(await stored()).toEqual([]);

    await context.database.prisma.gatewayAccount.update({ where, data: { credentials: right } });
    await reloadConfiguration(context, merchantId());
    expect(await receive(charge({ reference }))).toEqual({ kind: 'accepted' });
  });

  test('because no account has that address makes one row, whatever the address', async () => {
    const count = async () => (await refused(NIL_ID)).reduce((sum, row) => sum + row.count, 0);
    const before = await count();
    const rows = (await refused(NIL_ID)).length;
    const delivery = charge({ reference: 'sy-1' });
    for (const to of [
      { accountId: context.newId() },
      { accountId: 'no-uuid' },
      { gateway: 'flutterwave' },
      { gateway: 'nobody' },
    ]) {
      expect(await receive(delivery, to)).toEqual({ kind: 'unknown_account' });
    }
    expect([await count(), (await refused(NIL_ID)).length]).toEqual([before + 4, Math.max(rows, 1)]);
  });
});

test('a transfer that goes back to the customer is stored with the transaction that it names, to be followed up', async () => {
  const bank_transfer = {
    amount: '90000',
    message: 'incorrect amount sent',
    message_type: 'INCORRECT_AMOUNT',
    transaction_id: '302961',
  };
  const body = Buffer.from(JSON.stringify({ event: 'bank.transfer.rejected', data: { bank_transfer, customer: {} } }));
  const headers = { 'x-paystack-signature': createHmac('sha512', SECRET_KEY).update(body).digest('hex') };
  const delivery = { body, headers };
  expect(await receiveGatewayWebhook(context, { gateway: 'paystack', accountId, delivery })).toEqual({ kind: 'accepted' });
  const [stored] = await context.database.prisma.gatewayWebhook.findMany({ where: { merchantId: merchant.merchantId } });
  expect(stored).toMatchObject({ event: 'bank.transfer.rejected', reference: null, transactionId: '302961' });
  const [due] = await context.database.prisma.webhookFollowUp.findMany({ where: { merchantId: merchant.merchantId } });
  const transfer = { why: 'another_amount', amount: '900', currency: 'NGN' };
  expect(due?.about).toEqual({ kind: 'returned_transfer', attemptId: null, transfer });
});
