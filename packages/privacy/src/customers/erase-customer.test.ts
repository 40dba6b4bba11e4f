import { createHmac } from 'node:crypto';
import type { Prisma } from '@switchyard/db/client';
import { ERASED, ERASED_EMAIL } from '@switchyard/payments/customers';
import { packBody, readBody, receiveGatewayWebhook } from '@switchyard/payments/gateway-webhooks';
import { openTestPayments, recordPayment, StoredDocuments, type TestPayments } from '@switchyard/payments/testing';
import { createTestMerchant, testStaff } from '@switchyard/runtime/testing';
import { verifyAudit } from '@switchyard/staff/audit-log';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CUSTOMER_COLUMNS, columnsWith, fillCustomer, readAllRows } from '../testing/customer-fixture.ts';
import { eraseCustomer, previewErasure } from './erase-customer.ts';
import { exportCustomer } from './export-customer.ts';
import type { Blockers } from './find-customer.ts';

const EMAIL = 'Canary.Ada@Example.com';
const PHONE = '+234 803 555 0199';
const CUSTOMER = 'CUST-CANARY-7';
/** In each text about the person. */
const TAG = 'canary text';
const actor = 'staff:0193471e-8a3b-7c21-9f4e-2b6d5a7c9e10';

let context: TestPayments;
let merchantId: string;
let accountId: string;
let staffId: string;
let otherPaymentId: string;

beforeAll(async () => {
  context = await openTestPayments();
  staffId = await testStaff(context);
});
beforeEach(async () => {
  const own = await createTestMerchant(context, { 'paystack-main': {} });
  merchantId = own.merchantId;
  accountId = own.accounts['paystack-main'] ?? '';
  otherPaymentId = (await recordPayment(context, merchantId, { status: 'SUCCESS' })).paymentId;
});
afterAll(() => context.close());

const subject = () => ({ merchantId, mode: 'test' as const, email: EMAIL.toLowerCase() });

/** A finished payment of the person, with their data in every place that can hold it. */
async function paymentOfPerson(): Promise<string> {
  const who = { email: EMAIL, phone: PHONE, customerId: CUSTOMER };
  return (await fillCustomer(context, { merchantId, accountId, mode: 'test', tag: TAG, staffId, ...who })).paymentId;
}

/** Columns about customers that hold something of the person, but for those that stay. */
async function columnsLeft(): Promise<readonly string[]> {
  const rows = (await readAllRows(context)).filter(({ columns }) => columns.merchant_id === JSON.stringify(merchantId));
  return columnsWith(rows, [TAG, EMAIL, PHONE, '8035550199', CUSTOMER]).filter(
    (name) => CUSTOMER_COLUMNS[name]?.erased !== 'never',
  );
}

const chain = async () => (await verifyAudit(context, { tenantId: merchantId, from: null, kept: null })).kind;

async function confirmed(of = subject()): Promise<string> {
  const outcome = await previewErasure(context, of);
  if (outcome.kind !== 'found') throw new Error(`nothing was found: ${outcome.kind}`);
  return outcome.preview.confirmation;
}

describe('erasing a customer', () => {
  test('searches requests before and outside the transactions of payments, so that asking again does the rest', async () => {
    const paymentId = await paymentOfPerson();
    const { database } = context.resources;
    const away = { $transaction: { value: () => Promise.reject(new Error('away')) } };
    const resources = { ...context.resources, database: { ...database, prisma: Object.create(database.prisma, away) } };
    const command = { subject: subject(), confirmation: 'erase 1 payment', actor };
    await expect(eraseCustomer({ ...context, resources }, command)).rejects.toThrow('away');
    expect(await database.prisma.apiRequest.findFirst({ where: { merchantId, paymentId } })).toMatchObject({ requestBody: null });
    expect(await eraseCustomer(context, command)).toMatchObject({ kind: 'erased', counts: { payments: 1, apiRequests: 0 } });
    expect(await columnsLeft()).toEqual([]);
  });

  test('marks the fields and keeps the session in its documented form', async () => {
    const paymentId = await paymentOfPerson();
    await eraseCustomer(context, { subject: subject(), confirmation: 'Erase 1 payment', actor });
    const payment = await context.database.prisma.payment.findFirstOrThrow({ where: { id: paymentId } });
    expect(payment).toMatchObject({
      customerEmail: ERASED_EMAIL,
      customerPhone: null,
      customerId: null,
      metadata: null,
      redirectUrl: 'https://shop.example/thanks',
    });
    expect(new StoredDocuments({ ...payment, paymentId })).toMatchObject({
      session: {
        raw: {},
        redirectUrl: 'https://checkout.paystack.com/x',
        metadata: { redirectUrl: `https://shop.example/thanks?paymentId=${paymentId}`, callbackUrl: 'http://localhost/return' },
      },
      fallbackGateways: [],
    });
    const note = await context.database.prisma.paymentNote.findFirstOrThrow({ where: { paymentId } });
    expect(note).toMatchObject({ text: ERASED });
    expect(await previewErasure(context, subject())).toMatchObject({ kind: 'found', preview: { payments: 0 } });
    expect(await eraseCustomer(context, { subject: subject(), confirmation: 'x', actor })).toEqual({ kind: 'nothing_found' });
  });

  test('is not undone by a late webhook about the payment, nor by one that nothing is acted on', async () => {
    const paymentId = await paymentOfPerson();
    await eraseCustomer(context, { subject: subject(), confirmation: await confirmed(), actor });
    const { reference } = await context.database.prisma.attempt.findFirstOrThrow({ where: { paymentId } });
    const send = (event: string) => {
      const customer = { email: EMAIL, phone: PHONE, customer_code: CUSTOMER };
      const body = Buffer.from(JSON.stringify({ event, data: { id: 77, reference, status: 'success', customer } }));
      const signature = createHmac('sha512', 'sk_test_0123456789abcdef').update(body).digest('hex');
      const delivery = { body, headers: { 'x-paystack-signature': signature }, query: {} };
      return receiveGatewayWebhook(context, { gateway: 'paystack', accountId, delivery });
    };
    expect(await send('charge.success')).toEqual({ kind: 'accepted' });
    expect(await send('customeridentification.success')).toEqual({ kind: 'accepted' });
    const webhooks = await context.database.prisma.gatewayWebhook.findMany({ where: { merchantId } });
    expect(webhooks.map(readBody)).toEqual(['', '', '']);
    expect(await columnsLeft()).toEqual([]);
  });

  test('takes a webhook along that was being stored meanwhile, and did not see it', async () => {
    await paymentOfPerson();
    const { database } = context.resources;
    type Work = (transaction: Prisma.TransactionClient) => Promise<unknown>;
    const storing = {
      value: async (work: Work, options: object) => {
        const outcome = await database.prisma.$transaction(work, options);
        await database.prisma.gatewayWebhook.updateMany({
          where: { merchantId },
          data: { packedBody: packBody(JSON.stringify({ email: EMAIL })) },
        });
        return outcome;
      },
    };
    const prisma = Object.create(database.prisma, { $transaction: storing });
    const resources = { ...context.resources, database: { ...database, prisma } };
    const command = { subject: subject(), confirmation: await confirmed(), actor };
    expect(await eraseCustomer({ ...context, resources }, command)).toMatchObject({ kind: 'erased' });
    expect(await database.prisma.gatewayWebhook.count({ where: { merchantId } })).toBeGreaterThan(0);
    expect(await columnsLeft()).toEqual([]);
  });

  test.each([
    ['e-mail address in another case', { email: EMAIL.toUpperCase() }],
    ['e-mail address with spaces around it', { email: `  ${EMAIL} ` }],
    ...['0803-555-0199', '08035550199', '+2348035550199', '00234 803 555 0199', '234 (803) 555.0199'].map(
      (phone) => [`phone number as ${phone}`, { phone }] as const,
    ),
    ['customer id', { customerId: CUSTOMER }],
    ['several of them, each payment once', { email: EMAIL, phone: PHONE, customerId: CUSTOMER }],
  ] as const)('finds payments by %s, and erases them', async (_, given) => {
    await paymentOfPerson();
    const live = await previewErasure(context, { merchantId, mode: 'live', ...given });
    expect(live).toMatchObject({ kind: 'found', preview: { payments: 0 } });
    const of = { merchantId, mode: 'test', ...given } as const;
    expect(await previewErasure(context, of)).toMatchObject({ kind: 'found', preview: { payments: 1 } });
    expect(await eraseCustomer(context, { subject: of, confirmation: 'erase 1 payment', actor })).toMatchObject({
      kind: 'erased',
    });
    expect(await columnsLeft()).toEqual([]);
    expect(await eraseCustomer(context, { subject: of, confirmation: 'erase 1 payment', actor })).toEqual({
      kind: 'nothing_found',
    });
  });

  test('does not find customers by parts of an identifier', async () => {
    await paymentOfPerson();
    const near = [
      { email: EMAIL.slice(1) },
      { email: `${EMAIL}.ng` },
      { phone: '5550199' },
      { phone: '+44 803 555 0199' },
      { customerId: 'CUST-CANARY' },
      { customerId: CUSTOMER.toLowerCase() },
    ];
    for (const given of near) {
      const outcome = await previewErasure(context, { merchantId, mode: 'test', ...given });
      expect([given, outcome]).toMatchObject([given, { kind: 'found', preview: { payments: 0 } }]);
    }
  });

  /** Blockers of an erasure by kind: statements that cause each, and its sentence. */
  const BLOCKERS: Readonly<Record<keyof Blockers, readonly [statements: readonly string[], sentence: string]>> = {
    openPayments: [
      ['PENDING', 'INITIATED'].map((status) => `UPDATE payment SET status = '${status}' WHERE id = $1`),
      '1 payment is still open.',
    ],
    watchedPayments: [
      [`INSERT INTO payment_check SELECT merchant_id, id, now(), false FROM payment WHERE id = $1`],
      '1 payment is still watched for late money, for 72 hours after it ended.',
    ],
    openReviews: [[`UPDATE payment SET review = 'OPEN' WHERE id = $1`], '1 payment is under review.'],
    unfinishedRefunds: [
      [
        ...['REQUESTED', 'PROCESSING', 'NEEDS_ATTENTION', 'FAILED'].map(
          (state) => `UPDATE refund SET state = '${state}' WHERE payment_id = $1`,
        ),
        `UPDATE refund_approval SET state = 'WAITING', expires_at = now() + interval '1 day' WHERE payment_id = $1`,
      ],
      '1 refund is not finished or needs attention.',
    ],
    openDuplicateCharges: [
      ['OPEN', 'REFUNDING'].map((state) => `UPDATE duplicate_charge SET state = '${state}' WHERE payment_id = $1`),
      '1 duplicate payment is open.',
    ],
    openDiscrepancies: [
      ['reconciliation', 'settlement'].map(
        (of) => `UPDATE ${of}_discrepancy SET state = 'OPEN', resolved_by = NULL, resolved_at = NULL WHERE payment_id = $1`,
      ),
      '1 discrepancy is open.',
    ],
    openDisputes: [
      ['NEEDS_RESPONSE', 'UNDER_REVIEW'].map((state) => `UPDATE dispute SET state = '${state}' WHERE payment_id = $1`),
      '1 dispute is open.',
    ],
    pendingDeliveries: [
      [`UPDATE webhook_delivery SET state = 'PENDING' WHERE payment_id = $1`],
      '1 webhook delivery is still to be tried.',
    ],
  };

  test.each(
    Object.values(BLOCKERS).flatMap(([statements, sentence]) => statements.map((statement) => [statement, sentence] as const)),
  )('is refused with the reason and changes nothing: %s', async (statement, sentence) => {
    const paymentId = await paymentOfPerson();
    await context.database.pool.query(statement, [paymentId]);
    const outcome = await eraseCustomer(context, { subject: subject(), confirmation: 'erase 1 payment', actor });
    expect(outcome).toEqual({ kind: 'blocked', blockers: [sentence], erasedPayments: 0 });
    const { prisma } = context.database;
    const payment = await prisma.payment.findFirstOrThrow({ where: { id: paymentId } });
    expect(payment).toMatchObject({ customerEmail: EMAIL, customerErasedAt: null });
    expect(await prisma.apiRequest.count({ where: { merchantId, requestBody: { contains: TAG } } })).toBe(2);
    expect(await prisma.auditEntry.count({ where: { tenantId: merchantId, action: 'customer.erased' } })).toBe(0);
  });

  test('needs the confirmation of what is there now, and a subject', async () => {
    await paymentOfPerson();
    const wrong = await eraseCustomer(context, { subject: subject(), confirmation: 'erase 2 payments', actor });
    expect(wrong).toEqual({ kind: 'not_confirmed', confirmation: 'erase 1 payment' });
    const nobody = await previewErasure(context, { merchantId, mode: 'test', email: ' ' });
    expect(nobody).toEqual({
      kind: 'invalid',
      problems: [{ field: 'email', message: 'or a phone number or a customer id must be given' }],
    });
    expect(await previewErasure(context, { merchantId, mode: 'test', phone: '12' })).toMatchObject({ kind: 'invalid' });
    expect(await previewErasure(context, { merchantId, mode: 'test', email: ERASED_EMAIL })).toMatchObject({ kind: 'invalid' });
  });
});

describe('exporting a customer', () => {
  test('is everything in one file and the payments in another, and is audited', async () => {
    const paymentId = await paymentOfPerson();
    const outcome = await exportCustomer(context, { subject: subject(), actor });
    if (outcome.kind !== 'exported') throw new Error(outcome.kind);
    expect(Object.keys(JSON.parse(outcome.json))).toEqual([
      ...['subject', 'exportedAt', 'payments', 'attempts', 'gatewayWebhooks', 'timeline', 'refunds', 'refundApprovals'],
      ...['duplicateCharges', 'notes', 'merchantWebhooks', 'apiRequests', 'discrepancies', 'settlementDiscrepancies'],
      ...['settlementLines', 'disputes', 'auditEntries'],
    ]);
    expect(outcome.json).not.toContain(otherPaymentId);
    const [header, row, end] = outcome.csv.split('\r\n');
    expect(header).toMatch(/^payment_id,merchant_order_id,created_at,status,amount,currency/);
    expect(row).toContain(paymentId);
    // A phone number begins with a plus sign, which a spreadsheet would calculate.
    expect(row).toContain(`'${PHONE}`);
    expect(end).toBe('');
    const action = { tenantId: merchantId, action: 'customer.exported' };
    expect(await context.database.prisma.auditEntry.count({ where: action })).toBe(1);
    expect(await chain()).toBe('verified');
  });

  test('of an unknown customer is nothing', async () => {
    const nobody = { merchantId, mode: 'test', email: 'nobody@example.com' } as const;
    expect(await exportCustomer(context, { subject: nobody, actor })).toEqual({ kind: 'nothing_found' });
  });

  test('unpacks what is stored, and the preview of an erasure, which counts rows, does not', async () => {
    await paymentOfPerson();
    for (const column of ['payment.packed_session', 'attempt.packed_call', 'gateway_webhook.packed_body']) {
      const [table, packed] = column.split('.');
      // No dictionary has this number: what is unpacked throws.
      await context.database.pool.query(`UPDATE ${table} SET ${packed} = '\\x00' WHERE merchant_id = $1`, [merchantId]);
    }
    const preview = { payments: 1, attempts: 1, gatewayWebhooks: 1 };
    expect(await previewErasure(context, subject())).toMatchObject({ kind: 'found', preview });
    await expect(exportCustomer(context, { subject: subject(), actor })).rejects.toThrow('dictionary 0');
  });
});
