import { envelope, failures, recordedExamples } from '@switchyard/api/rest';
import { readDisputes } from '@switchyard/disputes/intake';
import { issueKey } from '@switchyard/merchants/console/api-keys';
import { announceRepeatedPayments } from '@switchyard/payments/duplicates';
import { verifyAttempt } from '@switchyard/payments/verify';
import { readSettlements } from '@switchyard/settlements/intake';
import { MERCHANT_EVENT_TYPES } from '@switchyard/webhooks/events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { endSession, startDatabaseProxy } from '../harness/database-proxy.ts';
import { eventually } from '../harness/eventually.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import type { TestRequest } from '../harness/mounts.ts';
import type { Reply } from '../harness/web-process.ts';
import { openRefundHarness, type PaidPayment, type RefundHarness } from '../life/refund-harness.ts';
import { EXAMPLE_URL, expectKept, openStableValues, type StableValues } from './stable-values.ts';

/*
 * Every example of the documentation is an answer of the product to a call that is made here, to the gateways' simulators. Ids, times
 * and secrets are replaced by stable ones; all else must be what the file has.
 */

const FILE = new URL('../../packages/api/src/rest/recorded-examples.json', import.meta.url);
const INITIATE = '/v1/payments/initiate';
const UNKNOWN_ID = '019a9d3c-0000-7000-9000-000000000000';
/** Headers that examples show. */
const SHOWN_HEADERS = ['retry-after', 'allow', 'www-authenticate', 'switchyard-ignored-fields'];

const BEGUN = { createdAt: '2026-11-21T09:30:00.118Z', updatedAt: '2026-11-21T09:30:00.472Z' };
const PAID = { createdAt: '2026-11-21T09:30:00.118Z', updatedAt: '2026-11-21T09:31:37.905Z' };
const EVENT = { createdAt: '2026-11-21T09:31:37.905Z', updatedAt: '2026-11-21T09:31:37.905Z' };
const REFUND = { createdAt: '2026-11-21T11:02:14.330Z', updatedAt: '2026-11-21T11:02:14.330Z' };
const REFUNDED = { createdAt: '2026-11-21T11:02:14.330Z', updatedAt: '2026-11-21T11:04:51.067Z' };

const UNKNOWN = `/v1/payments/${UNKNOWN_ID}`;
const BAD_REQUESTS: readonly (readonly [operationId: string, method: string, path: string, body: object | null])[] = [
  ['listPayments', 'GET', '/v1/payments?status=PAID&limit=500', null],
  ['listDisputes', 'GET', '/v1/disputes?state=open', null],
  ['listEvents', 'GET', '/v1/events?type=payment.paid', null],
  ['listSettlements', 'GET', '/v1/settlements?status=settled', null],
  ['listSettlementLines', 'GET', '/v1/settlements/019a9d3c-0000-7000-9000-000000000000/lines?kind=tax', null],
  ['listRefunds', 'GET', `${UNKNOWN}/refunds?limit=0`, null],
  ['verifyPayment', 'POST', `${UNKNOWN}/verify`, { transactionId: 41 }],
  ['streamEvents', 'GET', '/v1/events/stream', null],
  ['sendTestEvent', 'POST', '/v1/events/test', { type: 'payment.paid' }],
];

type Failure = keyof typeof failures;

/** Subject of an example answer. */
interface Example {
  readonly name: string;
  readonly summary: string;
  /** The one endpoint that answers so; null for any. */
  readonly operationId: string | null;
  readonly failure?: Failure;
  readonly times?: typeof BEGUN;
}

const dataSchema = z.object({ data: z.looseObject({ paymentId: z.string().optional(), refundId: z.string().optional() }) });
const sessionSchema = z.object({
  data: z.object({ paymentId: z.string(), recommendedGateway: z.object({ session: z.object({ reference: z.string() }) }) }),
});
const rulesSchema = z.object({ data: z.object({ file: z.looseObject({}) }) });
const disputesSchema = z.object({ data: z.object({ disputes: z.array(z.object({ disputeId: z.uuid() })) }) });
const settlementsSchema = z.object({ data: z.object({ settlements: z.array(z.object({ settlementId: z.uuid() })) }) });
const eventsSchema = z.object({ data: z.object({ events: z.array(z.unknown()).length(1) }) });

let harness: Harness;
let merchant: TestMerchant;
let refundHarness: RefundHarness;
let stable: StableValues;
const answers: unknown[] = [];
const failuresShown: Failure[] = [];
const events: Record<string, unknown> = {};

beforeAll(async () => {
  harness = await startHarness({ worker: false });
  merchant = await harness.merchant();
  refundHarness = openRefundHarness(harness);
  stable = openStableValues(harness.publicUrl);
});
afterAll(() => harness.close());

const order = (merchantOrderId: string) => ({
  merchantOrderId,
  amount: 2500,
  currency: 'NGN',
  customer: { email: 'ada@example.com' },
  redirectUrl: 'https://shop.example/thanks',
});

/** Sends a call with the merchant's test key, and records its answer. */
async function record(example: Example, method: string, path: string, request: TestRequest = {}): Promise<Reply> {
  const reply = await harness.send('node', method, path, { key: merchant.testKey, ...request });
  keep(example, { method, path, ...request }, reply);
  return reply;
}

interface Sent extends TestRequest {
  readonly method: string;
  readonly path: string;
}

function keep(example: Example, { method, path, headers, body }: Sent, reply: Pick<Reply, 'status' | 'headers' | 'json'>): void {
  const { name, summary, operationId, failure = null, times = BEGUN } = example;
  const shown = SHOWN_HEADERS.filter((header) => reply.headers[header] !== undefined);
  const request = { method, path, headers: headers ?? {}, ...(typeof body === 'object' && { body }) };
  if (failure !== null) failuresShown.push(failure);
  answers.push({
    name,
    summary,
    operationId,
    failure,
    request: stable.replace(request, times),
    status: reply.status,
    headers: Object.fromEntries(shown.map((header) => [header, reply.headers[header]])),
    body: stable.replace(reply.json, times),
  });
}

/** The payment of an answer of initiate, as the gateway has it. */
function begun(reply: Reply): PaidPayment {
  const { data } = sessionSchema.parse(reply.json);
  return { paymentId: data.paymentId, gateway: 'paystack', reference: data.recommendedGateway.session.reference };
}

/** A payment that is begun and not recorded. */
async function begin(merchantOrderId: string): Promise<PaidPayment> {
  return begun(await harness.send('node', 'POST', INITIATE, { key: merchant.testKey, body: order(merchantOrderId) }));
}

const verify = ({ paymentId }: PaidPayment) =>
  harness.send('node', 'POST', `/v1/payments/${paymentId}/verify`, { key: merchant.testKey });

/** Looks a paid payment up at its gateway, as after a webhook of a dispute. */
async function lookUp({ paymentId }: PaidPayment): Promise<void> {
  const { attempts } = await refundHarness.payment(paymentId);
  const attempt = { merchantId: merchant.merchantId, attemptId: attempts[0]?.id ?? '', transactionId: null };
  await verifyAttempt(harness.switchyard.payments, attempt);
}

/** Records the event of a type that a payment has. */
async function keepEvent(type: string, { paymentId }: PaidPayment, times = EVENT): Promise<void> {
  const reply = await harness.send('node', 'GET', `/v1/events?paymentId=${paymentId}&type=${type}`, { key: merchant.testKey });
  const [event] = eventsSchema.parse(reply.json).data.events;
  events[type] = stable.replace(event, times);
}

test('the calls of the documentation are answered as it shows', async () => {
  await recordPayment();
  await recordRefunds();
  await recordOtherEnds();
  await recordRules();
  await recordFailures();
  await recordFailuresOfThePlatform();

  expect(Object.keys(events).sort()).toEqual([...MERCHANT_EVENT_TYPES].sort());
  expect([...new Set(failuresShown)].sort()).toEqual(Object.keys(failures).sort());
  const inOrder = Object.fromEntries(MERCHANT_EVENT_TYPES.map((type) => [type, events[type]]));
  expectKept(recordedExamples(EXAMPLE_URL), { answers, events: inOrder }, FILE);
});

async function recordPayment(): Promise<void> {
  const initiated = await record(
    { name: 'initiated', summary: 'A checkout is open', operationId: 'initiatePayment' },
    'POST',
    INITIATE,
    { headers: { 'idempotency-key': 'ORD-1001' }, body: order('ORD-1001') },
  );
  const payment = begun(initiated);
  const at = `/v1/payments/${payment.paymentId}`;
  await record(
    { name: 'verifiedPending', summary: 'The customer has not paid yet', operationId: 'verifyPayment' },
    'POST',
    `${at}/verify`,
  );
  await harness.gateways.settle('paystack', payment.reference, 'success');
  await record(
    { name: 'verifiedSucceeded', summary: 'The payment has succeeded', operationId: 'verifyPayment', times: EVENT },
    'POST',
    `${at}/verify`,
  );
  await keepEvent('payment.succeeded', payment);
  await record({ name: 'payment', summary: 'A payment that succeeded', operationId: 'getPayment', times: PAID }, 'GET', at);
  await record(
    { name: 'paymentsOfOrder', summary: "By the merchant's own reference", operationId: 'listPayments', times: PAID },
    'GET',
    '/v1/payments?merchantOrderId=ORD-1001',
  );
  await record(
    { name: 'duplicateOrder', summary: 'The order was paid before', operationId: 'initiatePayment', failure: 'duplicateOrder' },
    'POST',
    INITIATE,
    { body: order('ORD-1001') },
  );
  await record(
    { name: 'otherRequest', summary: 'A key of another request', operationId: null, failure: 'otherRequest' },
    'POST',
    INITIATE,
    { headers: { 'idempotency-key': 'ORD-1001' }, body: { ...order('ORD-1001'), amount: 2600 } },
  );
}

async function recordRefunds(): Promise<void> {
  const payment = await begin('ORD-1002');
  const at = `/v1/payments/${payment.paymentId}`;
  await record(
    { name: 'notRefundable', summary: 'The payment has not succeeded', operationId: 'refundPayment', failure: 'notRefundable' },
    'POST',
    `${at}/refunds`,
    { body: { amount: 1000 } },
  );
  await harness.gateways.settle('paystack', payment.reference, 'success');
  await verify(payment);
  await record(
    {
      name: 'refundNotUnderstood',
      summary: 'How much is not said in a field of ours',
      operationId: 'refundPayment',
      failure: 'badRequest',
    },
    'POST',
    `${at}/refunds`,
    { body: { refund_amount: 1000 } },
  );
  const requested = await record(
    { name: 'refundRequested', summary: 'A part of a payment', operationId: 'refundPayment', times: REFUND },
    'POST',
    `${at}/refunds`,
    { headers: { 'idempotency-key': 'refund-ORD-1002-1' }, body: { amount: 1000, reason: 'Item out of stock' } },
  );
  const refundId = dataSchema.parse(requested.json).data.refundId ?? '';
  await refundHarness.runJobs();
  await refundHarness.end(payment, 'processed');
  await refundHarness.follow();
  await keepEvent('refund.succeeded', payment, { ...REFUNDED, createdAt: REFUNDED.updatedAt });
  const done = { summary: 'The money is on its way back', times: REFUNDED };
  await record({ ...done, name: 'refund', operationId: 'getRefund' }, 'GET', `${at}/refunds/${refundId}`);
  await record(
    { ...done, name: 'refunds', summary: 'Refunds of one payment', operationId: 'listRefunds' },
    'GET',
    `${at}/refunds`,
  );
  await record(
    { name: 'eventsOfPayment', summary: 'Of one payment', operationId: 'listEvents', times: EVENT },
    'GET',
    `/v1/events?paymentId=${payment.paymentId}`,
  );
  await record(
    { name: 'refundNotFound', summary: 'No such refund', operationId: 'getRefund', failure: 'refundNotFound' },
    'GET',
    `${at}/refunds/${UNKNOWN_ID}`,
  );

  const whole = await begin('ORD-1003');
  await harness.gateways.settle('paystack', whole.reference, 'success');
  await verify(whole);
  await record(
    { name: 'refundRequestedInFull', summary: 'All that is left', operationId: 'refundPayment', times: REFUND },
    'POST',
    `/v1/payments/${whole.paymentId}/refunds`,
    { headers: { 'idempotency-key': 'refund-ORD-1003-1' }, body: { full: true } },
  );
  await refundHarness.runJobs();
  await refundHarness.end(whole, 'processed');
  await refundHarness.follow();
  await keepEvent('payment.refunded', whole, { ...REFUNDED, createdAt: REFUNDED.updatedAt });
  await record(
    { name: 'verifiedRefunded', summary: 'All of it was refunded', operationId: 'verifyPayment', times: EVENT },
    'POST',
    `/v1/payments/${whole.paymentId}/verify`,
  );

  const kept = await begin('ORD-1004');
  await harness.gateways.settle('paystack', kept.reference, 'success');
  await verify(kept);
  await refundHarness.request(merchant, kept.paymentId, { amount: 1000 });
  await refundHarness.runJobs();
  await refundHarness.end(kept, 'failed');
  await refundHarness.follow();
  await keepEvent('refund.failed', kept, { ...REFUNDED, createdAt: REFUNDED.updatedAt });
}

async function recordOtherEnds(): Promise<void> {
  const declined = await begin('ORD-1005');
  await harness.gateways.settle('paystack', declined.reference, 'failed');
  await endSession(harness.database, declined.paymentId);
  await record(
    { name: 'verifiedFailed', summary: 'The gateway proved a failure', operationId: 'verifyPayment', times: EVENT },
    'POST',
    `/v1/payments/${declined.paymentId}/verify`,
  );
  await keepEvent('payment.failed', declined);

  const short = await begin('ORD-1006');
  await harness.gateways.settle('paystack', short.reference, 'success', 225_000);
  await verify(short);
  await keepEvent('payment.requires_review', short);

  // The first gateway opens a checkout and its answer is lost; the customer pays there and at the second one.
  await harness.gateways.setFault('paystack', 'broken_json');
  const reply = await harness.send('node', 'POST', INITIATE, { key: merchant.testKey, body: order('ORD-1007') });
  await harness.gateways.heal();
  const twice = begun(reply);
  const { attempts } = await refundHarness.payment(twice.paymentId);
  await harness.gateways.settle('flutterwave', twice.reference, 'success');
  await verify(twice);
  await harness.gateways.settle('paystack', attempts[0]?.reference ?? '', 'success');
  await refundHarness.sweep();
  await keepEvent('payment.duplicate_charge', twice);

  const first = await begin('ORD-1015');
  const second = await begin('ORD-1016');
  for (const paid of [first, second]) {
    await harness.gateways.settle('paystack', paid.reference, 'success');
    await verify(paid);
  }
  await announceRepeatedPayments(harness.switchyard.payments, new Date(0));
  await keepEvent('payment.repeated', second);

  const reversed = await begin('ORD-1013');
  await harness.gateways.settle('paystack', reversed.reference, 'success');
  await verify(reversed);
  await harness.gateways.amend('paystack', `transactions/${reversed.reference}/reverse`, {});
  await lookUp(reversed);
  await keepEvent('payment.reversed', reversed);
  await harness.gateways.amend('paystack', `transactions/${reversed.reference}/reverse`, { undo: true });
  await lookUp(reversed);
  await keepEvent('payment.reinstated', reversed);

  const disputed = await begin('ORD-1014');
  await harness.gateways.settle('paystack', disputed.reference, 'success');
  await verify(disputed);
  const dispute = (body: object) => harness.gateways.amend('paystack', `transactions/${disputed.reference}/dispute`, body);
  const account = { merchantId: merchant.merchantId, accountId: merchant.accounts.paystack ?? '' };
  await dispute({});
  await readDisputes(harness.switchyard.payments, account);
  await keepEvent('dispute.opened', disputed);
  const listed = await record(
    { name: 'disputes', summary: 'One to answer', operationId: 'listDisputes', times: EVENT },
    'GET',
    '/v1/disputes?state=needs_response',
  );
  const [{ disputeId } = { disputeId: '' }] = disputesSchema.parse(listed.json).data.disputes;
  await dispute({ resolution: 'declined' });
  await readDisputes(harness.switchyard.payments, account);
  await keepEvent('dispute.closed', disputed);
  await record(
    { name: 'dispute', summary: 'One that was won', operationId: 'getDispute', times: EVENT },
    'GET',
    `/v1/disputes/${disputeId}`,
  );
  await record(
    { name: 'disputeNotFound', summary: 'No such dispute', operationId: 'getDispute', failure: 'disputeNotFound' },
    'GET',
    `/v1/disputes/${UNKNOWN_ID}`,
  );

  await recordSettlements(account);

  const stranded = await harness.merchant();
  await harness.gateways.setFault('paystack', 'http_500');
  await harness.gateways.setFault('flutterwave', 'http_500');
  await record(
    { name: 'everyGatewayFailed', summary: 'No gateway could open a checkout', operationId: 'initiatePayment' },
    'POST',
    INITIATE,
    { key: stranded.testKey, body: order('ORD-1008') },
  );
  await harness.gateways.heal();
}

async function recordSettlements(account: { readonly merchantId: string; readonly accountId: string }): Promise<void> {
  await harness.gateways.amend('paystack', 'settlements', {});
  expect(await readSettlements(harness.switchyard.payments, account)).toMatchObject({ kind: 'read' });
  const listed = await record(
    { name: 'settlements', summary: 'One payout', operationId: 'listSettlements', times: EVENT },
    'GET',
    '/v1/settlements',
  );
  const [{ settlementId } = { settlementId: '' }] = settlementsSchema.parse(listed.json).data.settlements;
  const at = `/v1/settlements/${settlementId}`;
  await record({ name: 'settlement', summary: 'A payout', operationId: 'getSettlement', times: EVENT }, 'GET', at);
  await record(
    { name: 'settlementLines', summary: 'The first lines', operationId: 'listSettlementLines', times: EVENT },
    'GET',
    `${at}/lines?limit=2`,
  );
  await record(
    { name: 'settlementNotFound', summary: 'No such settlement', operationId: 'getSettlement', failure: 'settlementNotFound' },
    'GET',
    `/v1/settlements/${UNKNOWN_ID}`,
  );
}

async function recordRules(): Promise<void> {
  await record(
    { name: 'testEvent', summary: 'A payment that succeeded', operationId: 'sendTestEvent', times: EVENT },
    'POST',
    '/v1/events/test',
    { body: { type: 'payment.succeeded' } },
  );
  const command = { merchantId: merchant.merchantId, mode: 'test', expiresAt: null, actor: 'system:test' } as const;
  const scopes = ['rules:read', 'rules:write'];
  const issued = await issueKey(harness.switchyard, { ...command, name: 'Rules', scopes });
  if (issued.kind !== 'issued') throw new Error('no key was issued');
  const key = issued.secretKey;
  const rules = await record({ name: 'rules', summary: 'Active rules', operationId: 'getRules' }, 'GET', '/v1/rules', { key });
  const { file } = rulesSchema.parse(rules.json).data;
  const body = { file };
  await record({ name: 'checked', summary: 'What was found', operationId: 'checkRules' }, 'POST', '/v1/rules/check', {
    key,
    body,
  });
  await record({ name: 'drafted', summary: 'Saved', operationId: 'createRuleDraft', times: BEGUN }, 'POST', '/v1/rules/drafts', {
    key,
    body: { file, name: 'Cards to Paystack first' },
  });
  for (const [operationId, method, path, wrong] of [
    ['getRules', 'GET', '/v1/rules?version=1', null],
    ['checkRules', 'POST', '/v1/rules/check', {}],
    ['createRuleDraft', 'POST', '/v1/rules/drafts', { file: { ...file, mode: 'none' } }],
  ] as const) {
    const example = { name: 'badRequest', summary: 'Every problem at once', operationId, failure: 'badRequest' } as const;
    await record(example, method, path, wrong === null ? { key } : { key, body: wrong });
  }
}

async function recordFailures(): Promise<void> {
  const bad = { operationId: 'initiatePayment', failure: 'badRequest' } as const;
  await record({ ...bad, name: 'badRequest', summary: 'Every problem at once' }, 'POST', INITIATE, {
    body: { merchantOrderId: '', amount: '2500', currency: 'USD', customer: { email: 'ada' }, paymentMethod: 'cash' },
  });
  for (const [operationId, method, path, body] of BAD_REQUESTS) {
    const example = { name: 'badRequest', summary: 'Every problem at once', operationId, failure: 'badRequest' } as const;
    await record(example, method, path, body === null ? {} : { body });
  }
  const { redirectUrl, ...rest } = order('ORD-1009');
  await record({ ...bad, name: 'misspeltField', summary: 'A misspelt name, in test mode' }, 'POST', INITIATE, {
    body: { ...rest, redirect_url: redirectUrl },
  });
  await record(
    { name: 'ignoredField', summary: 'A field that is not ours is ignored and named', operationId: 'initiatePayment' },
    'POST',
    INITIATE,
    { body: { ...order('ORD-1009'), channel: 'web' } },
  );
  await record(
    { name: 'invalidKey', summary: 'No key, or a wrong one', operationId: null, failure: 'invalidKey' },
    'GET',
    UNKNOWN,
    {
      key: 'sk_test_nonsense',
    },
  );
  const anyone = { merchantId: merchant.merchantId, mode: 'test', expiresAt: null, actor: 'system:test' } as const;
  const readOnly = await issueKey(harness.switchyard, { ...anyone, name: 'Reads', scopes: ['payments:read'] });
  const atHome = await issueKey(harness.switchyard, {
    ...anyone,
    name: 'Home',
    scopes: ['full_access'],
    allowedAddresses: ['203.0.113.7'],
  });
  if (readOnly.kind !== 'issued' || atHome.kind !== 'issued') throw new Error('no key was issued');
  await record(
    { name: 'missingScope', summary: 'A key that may not do this', operationId: null, failure: 'missingScope' },
    'POST',
    INITIATE,
    { key: readOnly.secretKey, body: order('ORD-1010') },
  );
  await record(
    { name: 'addressNotAllowed', summary: 'A key used from elsewhere', operationId: null, failure: 'addressNotAllowed' },
    'GET',
    UNKNOWN,
    { key: atHome.secretKey },
  );
  await record(
    { name: 'paymentNotFound', summary: 'No such payment', operationId: null, failure: 'paymentNotFound' },
    'GET',
    UNKNOWN,
  );
  await record(
    { name: 'pathNotFound', summary: 'No such path', operationId: null, failure: 'pathNotFound' },
    'GET',
    '/v1/payment/ORD-1001',
  );
  await record(
    { name: 'methodNotAllowed', summary: 'A method the path does not take', operationId: null, failure: 'methodNotAllowed' },
    'GET',
    INITIATE,
  );
  await record(
    { name: 'bodyTooLarge', summary: 'More than 64 KiB', operationId: null, failure: 'bodyTooLarge' },
    'POST',
    INITIATE,
    { body: JSON.stringify({ ...order('ORD-1011'), metadata: { text: 'x'.repeat(70_000) } }) },
  );
  await record(
    { name: 'unsupportedMediaType', summary: 'Not JSON', operationId: null, failure: 'unsupportedMediaType' },
    'POST',
    INITIATE,
    { headers: { 'content-type': 'text/plain' }, body: 'merchantOrderId=ORD-1011' },
  );
  await harness.gateways.setFault('paystack', 'slow', 600);
  const slow = { headers: { 'idempotency-key': 'ORD-1012' }, body: order('ORD-1012') };
  const first = harness.send('node', 'POST', INITIATE, { key: merchant.testKey, ...slow });
  await eventually('the first request to be under way', () =>
    harness.database.prisma.idempotencyRecord.findFirst({ where: { key: 'ORD-1012' } }),
  );
  await record(
    {
      name: 'requestInFlight',
      summary: 'The first request is not answered yet',
      operationId: 'initiatePayment',
      failure: 'requestInFlight',
    },
    'POST',
    INITIATE,
    slow,
  );
  await eventually('the payment to be on record', () =>
    harness.database.prisma.payment.findFirst({ where: { merchantOrderId: 'ORD-1012' } }),
  );
  await record(
    {
      name: 'orderInFlight',
      summary: 'The first request with the order id is still opening a checkout',
      operationId: 'initiatePayment',
      failure: 'duplicateOrder',
    },
    'POST',
    INITIATE,
    { body: slow.body },
  );
  await first;
  await harness.gateways.heal();
}

/** Failures that no request causes by itself. */
async function recordFailuresOfThePlatform(): Promise<void> {
  const path = UNKNOWN;
  const request = { key: merchant.testKey };
  const narrow = await harness.startWebProcess({ requestsPerSecond: 1 });
  const replies = await Promise.all(Array.from({ length: 6 }, () => narrow.send('node', 'GET', path, request)));
  const refused = replies.find(({ status }) => status === 429);
  if (refused === undefined) throw new Error('no request was one too many');
  const sent = { method: 'GET', path };
  keep({ name: 'tooManyRequests', summary: 'Too many requests', operationId: null, failure: 'tooManyRequests' }, sent, {
    ...refused,
    headers: { ...refused.headers, 'retry-after': '1' },
  });

  const internal = failures.internal(UNKNOWN_ID);
  const { statusCode, body } = envelope(internal);
  const json: unknown = JSON.parse(body);
  keep({ name: 'internal', summary: 'A fault of ours', operationId: null, failure: 'internal' }, sent, {
    status: statusCode,
    headers: {},
    json,
  });

  const databaseProxy = await startDatabaseProxy(harness.database.url);
  const behind = await harness.startWebProcess({ databaseUrl: databaseProxy.url });
  await behind.send('node', 'GET', path, request);
  await databaseProxy.shut();
  const unavailable = await behind.send('node', 'GET', path, request);
  await databaseProxy.open();
  keep({ name: 'unavailable', summary: 'We cannot work just now', operationId: null, failure: 'unavailable' }, sent, unavailable);
}
