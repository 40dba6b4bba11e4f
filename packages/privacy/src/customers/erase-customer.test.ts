import { createHmac } from 'node:crypto';
import type { Prisma } from '@switchyard/db/client';
import { packCall, readCall } from '@switchyard/payments/attempts';
import { addPaymentNote } from '@switchyard/payments/console/payments';
import { ERASED, ERASED_EMAIL } from '@switchyard/payments/customers';
import { packBody, readBody, receiveGatewayWebhook } from '@switchyard/payments/gateway-webhooks';
import { openTestPayments, packSession, recordPayment, StoredDocuments, type TestPayments } from '@switchyard/payments/testing';
import { findWrongRollups, updateRollups } from '@switchyard/reporting/rollups';
import { readDecision } from '@switchyard/rule-sets/read-inputs';
import { createTestMerchant, testStaff } from '@switchyard/runtime/testing';
import { verifyAudit } from '@switchyard/staff/audit-log';
import { saveView } from '@switchyard/staff/saved-views';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eraseCustomer, previewErasure } from './erase-customer.ts';
import { exportCustomer } from './export-customer.ts';

const EMAIL = 'Canary.Ada@Example.com';
const PHONE = '+234 803 555 0199';
const CUSTOMER = 'CUST-CANARY-7';
/** Each appears in what is stored of the person, and nowhere else. */
const CANARIES = ['canary.ada@example.com', '803 555 0199', '8035550199', CUSTOMER, 'canary text'];
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

/** A scheduled report about the person, with its file. */
async function reportWith(email: string): Promise<void> {
  const { prisma } = context.database;
  const now = context.now();
  const [scheduleId, runId, day] = [context.newId(), context.newId(), new Date('2026-11-25')];
  const timing = { frequency: 'daily', hour: 6, timeZone: 'UTC', nextDay: day, nextDueAt: now } as const;
  const of = { mode: 'test', name: email, list: 'payments', format: 'ndjson', filter: { customer: email } } as const;
  const made = { createdAt: now, updatedAt: now };
  await prisma.reportSchedule.create({
    data: { ...of, ...timing, ...made, merchantId, id: scheduleId, recipients: [], ownerId: staffId, createdBy: actor },
  });
  const period = { firstDay: day, lastDay: day, requestId: runId, state: 'SENT' } as const;
  await prisma.reportRun.create({ data: { ...period, ...made, merchantId, id: runId, scheduleId, merchantIds: [merchantId] } });
  await prisma.reportFile.create({ data: { merchantId, runId, content: Buffer.from(email), createdAt: now } });
}

/** A finished payment of the person, with their data in every place that can hold it. */
async function paymentOfPerson(): Promise<string> {
  const { prisma, pool } = context.database;
  const { paymentId } = await recordPayment(context, merchantId, { status: 'SUCCESS' });
  const key = { merchantId_id: { merchantId, id: paymentId } };
  await prisma.paymentCheck.deleteMany({ where: { paymentId } });
  const url = `https://shop.example/thanks?mail=${EMAIL}`;
  const session = {
    raw: { customer: { email: EMAIL } },
    gateway: 'paystack',
    reference: 'r',
    accessCode: '',
    redirectUrl: 'https://checkout.paystack.com/x',
    metadata: { redirectUrl: `${url}&paymentId=${paymentId}`, callbackUrl: 'http://localhost/return' },
  };
  const customer = { customerEmail: EMAIL, customerPhone: PHONE, customerId: CUSTOMER, metadata: { note: 'canary text' } };
  const packedSession = packSession({ merchantId, paymentId }, session, []);
  await prisma.payment.update({ where: key, data: { ...customer, redirectUrl: url, packedSession } });
  const attempt = await prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  const failed = { packedCall: packCall({ email: EMAIL }), failureMessage: `Unknown customer ${EMAIL}` };
  await prisma.attempt.update({ where: { merchantId_id: { merchantId, id: attempt.id } }, data: failed });
  const about = { gateway: 'paystack', dedupeKey: paymentId, event: 'charge.success', reference: attempt.reference };
  const packedBody = packBody(JSON.stringify({ EMAIL, PHONE }));
  const arrived = { state: 'PROCESSED', receivedAt: context.now(), packedBody } as const;
  await prisma.gatewayWebhook.create({ data: { merchantId, id: context.newId(), accountId, ...about, ...arrived } });
  await addPaymentNote(context, { merchantIds: [merchantId], paymentId, text: `canary text ${PHONE}`, actor });
  const event = { type: 'refund.requested', cause: 'staff', actor, createdAt: context.now() };
  const detail = { refundId: 'x', amount: '100', reason: 'canary text', note: 'canary text', kind: 'own' };
  await prisma.timelineEvent.create({ data: { merchantId, id: context.newId(), paymentId, ...event, detail } });
  const paid = {
    type: 'payment.succeeded',
    cause: 'gateway_webhook',
    createdAt: context.now(),
    detail: { cardLast4: 'canary text' },
  };
  await prisma.timelineEvent.create({ data: { merchantId, id: context.newId(), paymentId, ...paid } });
  const refundId = context.newId();
  await pool.query(
    `INSERT INTO refund (merchant_id, id, mode, payment_id, attempt_id, account_id, gateway, transaction_id, amount, currency, state,
       reason, reference, requested_by, note, failure_message, created_at, updated_at)
     SELECT merchant_id, $2, mode, id, id, account_id, 'paystack', 't', 100, 'NGN', 'SUCCEEDED', 'canary text', $3, 'api', 'canary text',
       $4, now(), now() FROM payment WHERE id = $1`,
    [paymentId, refundId, `rf-${refundId}`, `No account for ${CUSTOMER}`],
  );
  await prisma.duplicateCharge.create({
    data: {
      merchantId,
      id: context.newId(),
      mode: 'test',
      paymentId,
      attemptId: attempt.id,
      accountId,
      gateway: 'paystack',
      reference: 'd',
      transactionId: paymentId,
      amount: 100,
      currency: 'NGN',
      state: 'DISMISSED',
      note: 'canary text',
      createdAt: context.now(),
      updatedAt: context.now(),
    },
  });
  await pool.query(
    `INSERT INTO reconciliation_discrepancy (merchant_id, id, mode, account_id, gateway, day, kind, subject, state, payment_id, note,
       resolution, resolved_by, resolved_at, ledger, created_at)
     VALUES ($1, $2, 'test', $3, 'paystack', current_date, 'AMOUNT', $4, 'RESOLVED', $5, 'canary text', 'canary text', 'staff:a', now(), '{}',
       now())`,
    [merchantId, context.newId(), accountId, `reference/${paymentId}`, paymentId],
  );
  await pool.query(
    `INSERT INTO settlement_discrepancy (merchant_id, id, mode, account_id, gateway, kind, subject, state, currency, payment_id, note,
       resolution, resolved_by, resolved_at, created_at)
     VALUES ($1, $2, 'test', $3, 'paystack', 'UNDER', $4, 'RESOLVED', 'NGN', $5, 'canary text', 'canary text', 'staff:a', now(), now())`,
    [merchantId, context.newId(), accountId, `payment/${paymentId}`, paymentId],
  );
  const disputeId = context.newId();
  const closed = { state: 'WON', amount: '2500', currency: 'NGN', openedAt: context.now(), createdAt: context.now() } as const;
  await prisma.dispute.create({
    data: {
      merchantId,
      id: disputeId,
      mode: 'test',
      paymentId,
      attemptId: attempt.id,
      accountId,
      gateway: 'paystack',
      gatewayDisputeId: disputeId,
      ...closed,
      updatedAt: context.now(),
    },
  });
  const file = {
    fileName: `${CUSTOMER}.pdf`,
    mediaType: 'application/pdf',
    sizeBytes: 1,
    content: new Uint8Array([1]),
  };
  const evidence = { merchantId, id: context.newId(), disputeId, ...file, uploadedBy: 'staff:a', createdAt: context.now() };
  await prisma.disputeEvidence.create({ data: evidence });
  await prisma.disputeResponse.create({
    data: {
      merchantId,
      id: context.newId(),
      disputeId,
      stage: '',
      action: 'CONTEST',
      state: 'SENT',
      requestedBy: 'staff:a',
      message: 'canary text',
      customerName: CUSTOMER,
      service: 'canary text',
      createdAt: context.now(),
    },
  });
  const record = { requestHash: new Uint8Array([1]), resourceId: paymentId, statusCode: 200, body: `{"email":"${EMAIL}"}` };
  const times = { createdAt: context.now(), lockedUntil: context.now(), expiresAt: context.now(), processId: context.newId() };
  await prisma.idempotencyRecord.create({ data: { merchantId, mode: 'test', key: paymentId, ...record, ...times } });
  await deliveryOf(paymentId, 'DELIVERED');
  await refusedRequest({ paymentId, body: '{"reason":"canary text"}' });
  return paymentId;
}

/** A refused request with an API key. */
async function refusedRequest({
  paymentId,
  body,
  path = '/v1/payments/initiate',
}: {
  paymentId: string | null;
  body: string;
  path?: string;
}): Promise<void> {
  const ids = { merchantId, id: context.newId(), keyId: context.newId(), requestId: context.newId(), paymentId };
  const answered = { method: 'POST', path, status: 400, durationMs: 3, endedAt: context.now() };
  await context.database.prisma.apiRequest.create({ data: { ...ids, mode: 'test', ...answered, requestBody: body } });
}

async function deliveryOf(paymentId: string, state: 'DELIVERED' | 'PENDING'): Promise<string> {
  const { prisma } = context.database;
  const [endpointId, eventId, deliveryId] = [context.newId(), context.newId(), context.newId()];
  const at = context.now();
  const event = {
    mode: 'test',
    paymentId,
    position: 2,
    type: 'payment.succeeded',
    packedBody: new Uint8Array(),
    createdAt: at,
  } as const;
  await prisma.merchantEvent.create({ data: { merchantId, id: eventId, ...event } });
  const delivery = { endpointId, eventId, paymentId, position: 2, type: 'payment.succeeded', state, attempts: 1 };
  await prisma.webhookDelivery.create({ data: { merchantId, id: deliveryId, ...delivery, createdAt: at, updatedAt: at } });
  const attempt = { number: 1, endpointId, url: 'https://a.example', startedAt: at, durationMs: 1, delivered: true };
  await prisma.webhookDeliveryAttempt.create({ data: { merchantId, deliveryId, ...attempt, answer: `thanks ${EMAIL}` } });
  return deliveryId;
}

/** Rows anywhere in the database that hold one of the texts, as `table: text`, packed or not. */
async function rowsWith(texts: readonly string[]): Promise<string[]> {
  const { pool } = context.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    `SELECT table_schema || '."' || table_name || '"' AS name FROM information_schema.tables
     WHERE table_schema IN ('public', 'graphile_worker') AND table_type = 'BASE TABLE'`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ text: string }>(
      `SELECT DISTINCT sought.text FROM ${name} AS t, unnest($1::text[]) AS sought (text) WHERE position(lower(sought.text) IN lower(t::text)) > 0`,
      [texts],
    );
    found.push(...rows.map(({ text }) => `${name}: ${text}`));
  }
  for (const [name, packed] of Object.entries(await unpackTexts())) {
    const held = JSON.stringify(packed).toLowerCase();
    found.push(...texts.filter((text) => held.includes(text.toLowerCase())).map((text) => `packed in ${name}: ${text}`));
  }
  return found.sort();
}

/** Texts of packed columns, by table. As text, a row has their bytes in hexadecimal. */
async function unpackTexts(): Promise<Record<string, unknown[]>> {
  const { prisma } = context.database;
  const payments = await prisma.payment.findMany();
  return {
    payment: payments.map((payment) => {
      const { session, fallbackGateways } = new StoredDocuments({ ...payment, paymentId: payment.id });
      return { ...readDecision(payment), session, fallbackGateways };
    }),
    attempt: (await prisma.attempt.findMany()).map(readCall),
    gateway_webhook: (await prisma.gatewayWebhook.findMany()).map(readBody),
  };
}

/** Data that must be the same before and after: money, states, references, in every table of the ledger. */
async function ledger(): Promise<unknown> {
  const { rows } = await context.database.pool.query(
    `SELECT id, status, amount, currency, refunded_amount, account_id, gateway_reference, received_amount, fee_amount, merchant_order_id,
       current_attempt_id, status_event_id, created_at FROM payment WHERE merchant_id = $1
     UNION ALL SELECT id, NULL, amount, currency, NULL, account_id, reference, NULL, NULL, state::text, attempt_id, NULL, created_at
       FROM refund WHERE merchant_id = $1
     UNION ALL SELECT id, NULL, NULL, NULL, NULL, account_id, reference, received_amount, NULL, state::text, NULL, NULL, created_at
       FROM attempt WHERE merchant_id = $1 ORDER BY 1`,
    [merchantId],
  );
  return rows;
}

const chain = async () => (await verifyAudit(context, { tenantId: merchantId, from: null, kept: null })).kind;

async function confirmed(of = subject()): Promise<string> {
  const outcome = await previewErasure(context, of);
  if (outcome.kind !== 'found') throw new Error(`nothing was found: ${outcome.kind}`);
  return outcome.preview.confirmation;
}

describe('erasing a customer', () => {
  test('leaves nothing of them anywhere in the database, and ledger, sums and audit chain as they were', async () => {
    await paymentOfPerson();
    await paymentOfPerson();
    const view = {
      page: 'payments',
      name: 'Ada',
      query: `search=${encodeURIComponent(EMAIL)}&status=SUCCESS`,
      shared: true,
    } as const;
    await saveView(context, { ...view, staffId });
    await reportWith(EMAIL);
    await refusedRequest({ paymentId: null, body: `{"merchantOrderId":"for ${CUSTOMER.toLowerCase()}"}` });
    await refusedRequest({ paymentId: null, body: '{"amount":0}' });
    await refusedRequest({ paymentId: null, body: '{}', path: `/v1/payments/${CUSTOMER}` });
    await updateRollups(context);
    const before = await ledger();
    expect(await rowsWith(CANARIES)).not.toEqual([]);
    expect([await chain(), await findWrongRollups(context.database.url, () => undefined)]).toEqual(['verified', []]);

    const preview = await previewErasure(context, subject());
    expect(preview).toMatchObject({
      kind: 'found',
      preview: { payments: 2, attempts: 2, gatewayWebhooks: 2, notes: 2, refunds: 2, savedViews: 1, blockers: [] },
    });
    expect(JSON.stringify(preview)).not.toContain('Canary.Ada');
    const outcome = await eraseCustomer(context, { subject: subject(), confirmation: 'erase 2 payments', actor });
    expect(outcome).toEqual({
      kind: 'erased',
      counts: {
        payments: 2,
        attempts: 2,
        gatewayWebhooks: 2,
        notes: 2,
        timelineEvents: 4,
        refunds: 2,
        duplicateCharges: 2,
        idempotencyRecords: 2,
        deliveryAnswers: 2,
        apiRequests: 4,
        discrepancies: 4,
        disputeAnswers: 2,
        savedViews: 1,
        reportFiles: 1,
        reportSchedules: 1,
      },
    });

    expect(await rowsWith(CANARIES)).toEqual([]);
    expect(await ledger()).toEqual(before);
    await updateRollups(context);
    expect([await chain(), await findWrongRollups(context.database.url, () => undefined)]).toEqual(['verified', []]);
    const [entry] = await context.database.prisma.auditEntry.findMany({
      where: { tenantId: merchantId, action: 'customer.erased' },
    });
    expect(entry).toMatchObject({
      actor,
      objectId: expect.stringMatching(/^[0-9a-f]{64}$/),
      after: { payments: 2, mode: 'test' },
    });
    const other = await context.database.prisma.payment.findFirstOrThrow({ where: { id: otherPaymentId } });
    expect(other).toMatchObject({ customerEmail: 'ada@example.com', customerErasedAt: null });
    expect(await context.database.prisma.apiRequest.count({ where: { merchantId } })).toBe(5);
    expect(await context.database.prisma.apiRequest.count({ where: { merchantId, requestBody: '{"amount":0}' } })).toBe(1);
  });

  test('searches requests before and outside the transactions of payments, so that asking again does the rest', async () => {
    const paymentId = await paymentOfPerson();
    const { database } = context.resources;
    const away = { $transaction: { value: () => Promise.reject(new Error('away')) } };
    const resources = { ...context.resources, database: { ...database, prisma: Object.create(database.prisma, away) } };
    const command = { subject: subject(), confirmation: 'erase 1 payment', actor };
    await expect(eraseCustomer({ ...context, resources }, command)).rejects.toThrow('away');
    expect(await database.prisma.apiRequest.findFirst({ where: { merchantId, paymentId } })).toMatchObject({ requestBody: null });
    expect(await eraseCustomer(context, command)).toMatchObject({ kind: 'erased', counts: { payments: 1, apiRequests: 0 } });
    expect(await rowsWith(CANARIES)).toEqual([]);
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
    expect(note).toMatchObject({ text: ERASED, author: actor });
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
    expect(await rowsWith(CANARIES)).toEqual([]);
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
    expect(await rowsWith(CANARIES)).toEqual([]);
  });

  test.each([
    ['phone number in another spelling', () => ({ phone: '0803-555-0199' })],
    ['customer id', () => ({ customerId: CUSTOMER })],
    ['several of them, each payment once', () => ({ email: EMAIL, phone: PHONE, customerId: CUSTOMER })],
  ])('finds payments by %s', async (_, given) => {
    await paymentOfPerson();
    const outcome = await previewErasure(context, { merchantId, mode: 'test', ...given() });
    expect(outcome).toMatchObject({ kind: 'found', preview: { payments: 1, confirmation: 'erase 1 payment' } });
    const live = await previewErasure(context, { merchantId, mode: 'live', ...given() });
    expect(live).toMatchObject({ kind: 'found', preview: { payments: 0 } });
  });

  test.each([
    [`UPDATE payment SET status = 'PENDING' WHERE id = $1`, '1 payment is still open.'],
    [
      `INSERT INTO payment_check SELECT merchant_id, id, now(), false FROM payment WHERE id = $1`,
      '1 payment is still watched for late money, for 72 hours after it ended.',
    ],
    [`UPDATE payment SET review = 'OPEN' WHERE id = $1`, '1 payment is under review.'],
    [`UPDATE refund SET state = 'PROCESSING' WHERE payment_id = $1`, '1 refund is not finished or needs attention.'],
    [`UPDATE duplicate_charge SET state = 'OPEN' WHERE payment_id = $1`, '1 duplicate payment is open.'],
    [`UPDATE webhook_delivery SET state = 'PENDING' WHERE payment_id = $1`, '1 webhook delivery is still to be tried.'],
  ])('is refused with the reason and changes nothing: %s', async (statement, reason) => {
    const paymentId = await paymentOfPerson();
    await context.database.pool.query(statement, [paymentId]);
    const before = await rowsWith(CANARIES);
    const outcome = await eraseCustomer(context, { subject: subject(), confirmation: 'erase 1 payment', actor });
    expect(outcome).toEqual({ kind: 'blocked', blockers: [reason], erasedPayments: 0 });
    expect(await rowsWith(CANARIES)).toEqual(before);
    await context.database.pool.query(`DELETE FROM payment_check WHERE payment_id = $1`, [paymentId]);
    await context.database.pool.query(`UPDATE payment SET customer_email = 'x@y.z', customer_phone = NULL, customer_id = NULL`);
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
  test('holds everything in one file and the payments in another, and is audited', async () => {
    const paymentId = await paymentOfPerson();
    const outcome = await exportCustomer(context, { subject: subject(), actor });
    if (outcome.kind !== 'exported') throw new Error(outcome.kind);
    const held: Record<string, unknown> = JSON.parse(outcome.json);
    expect(Object.keys(held)).toEqual([
      ...['subject', 'exportedAt', 'payments', 'attempts', 'gatewayWebhooks', 'timeline', 'refunds', 'refundApprovals'],
      ...['duplicateCharges', 'notes', 'merchantWebhooks', 'apiRequests', 'discrepancies', 'settlementDiscrepancies'],
      ...['disputeAnswers', 'auditEntries'],
    ]);
    expect(held).toMatchObject({
      payments: [{ id: paymentId, customerEmail: EMAIL, amount: '2500' }],
      attempts: [{ call: { email: EMAIL } }],
      gatewayWebhooks: [{ body: JSON.stringify({ EMAIL, PHONE }) }],
      notes: [{ paymentId }],
      merchantWebhooks: { deliveries: [{ paymentId }] },
      apiRequests: [{ paymentId, path: '/v1/payments/initiate', requestBody: '{"reason":"canary text"}' }],
    });
    expect(outcome.json).not.toContain(otherPaymentId);
    const [header, row, end] = outcome.csv.split('\r\n');
    expect(header).toMatch(/^payment_id,merchant_order_id,created_at,status,amount,currency/);
    expect(row).toContain(`${paymentId},order-${paymentId}`);
    // A phone number begins with a plus sign, which a spreadsheet would calculate.
    expect(row).toContain(`'${PHONE}`);
    expect(end).toBe('');
    expect(await context.database.prisma.auditEntry.count({ where: { tenantId: merchantId, action: 'customer.exported' } })).toBe(
      1,
    );
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
