import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { issueKey } from '@switchyard/merchants/console/api-keys';
import { openRequestLog, type RequestLog } from '@switchyard/merchants/request-log';
import { addPaymentNote } from '@switchyard/payments/console/payments';
import { sendRefund } from '@switchyard/payments/refunds';
import { eraseCustomer, exportCustomer, previewErasure } from '@switchyard/privacy';
import { CUSTOMER_COLUMNS, columnsWith, readAllRows } from '@switchyard/privacy/testing';
import { issueToken } from '@switchyard/staff/machine-tokens';
import { saveView } from '@switchyard/staff/saved-views';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { Switchyard } from './process.ts';
import { serveOverHttp } from './testing/served.ts';
import { createStaffWithGrants, createTestMerchant, openTestSwitchyard } from './testing/switchyard.ts';

const EMAIL = 'canary.ada@example.com';
const PHONE = '+2348035550199';
const CUSTOMER = 'CUST-CANARY-7';
/** Texts that name the person, or were written about them. */
const CANARIES = [EMAIL, PHONE, '8035550199', CUSTOMER, 'canary'];
const SECRET = 'sk_test_0123456789abcdef';

let opened: Awaited<ReturnType<typeof openTestSwitchyard>>;
let switchyard: Switchyard;
let served: Awaited<ReturnType<typeof serveOverHttp>>;
let requests: RequestLog;
let gateway: Server;
let merchantId: string;
let staffId: string;
let key: string;
let token: string;

/** Paystack, which answers each call with what it knows of the person. */
async function answerAsGateway(request: IncomingMessage, response: ServerResponse): Promise<void> {
  for await (const _ of request);
  const { pathname = '' } = URL.parse(request.url ?? '', 'http://gateway.test') ?? {};
  const customer = { email: EMAIL, phone: PHONE, name: 'canary' };
  const reference = decodeURIComponent(pathname.split('/').at(-1) ?? '');
  const paid = { id: 302_961, reference, amount: 250_000, currency: 'NGN', domain: 'test', channel: 'card', fees: 0 };
  const opening = { authorization_url: 'https://checkout.paystack.com/x', access_code: 'x', reference: 'r' };
  const answers: [string, object][] = [
    ['/transaction/initialize', opening],
    ['/transaction/verify/', { ...paid, status: 'success', paid_at: new Date().toISOString(), authorization: { last4: '4081' } }],
    ['/refund', { id: 77, status: 'processed', transaction: { id: paid.id } }],
  ];
  const [, data] = answers.find(([path]) => pathname.startsWith(path)) ?? [];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ status: true, message: 'canary', data: { ...data, customer } }));
}

beforeAll(async () => {
  opened = await openTestSwitchyard();
  switchyard = opened.switchyard;
  gateway = createServer((request, response) => void answerAsGateway(request, response));
  await new Promise<void>((listening) => gateway.listen(0, '127.0.0.1', listening));
  const { port } = z.object({ port: z.number() }).parse(gateway.address());
  merchantId = await createTestMerchant(switchyard, 'Balogun Books', `http://127.0.0.1:${port}`);
  const command = {
    merchantId,
    mode: 'test',
    name: 'server',
    expiresAt: null,
    scopes: ['full_access'],
    actor: 'staff:ada',
  } as const;
  const issued = await issueKey(switchyard, command);
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  key = issued.secretKey;
  const email = await createStaffWithGrants(switchyard, 'finance@example.com', [{ merchantId, role: 'finance' }]);
  ({ id: staffId } = await switchyard.resources.database.prisma.staffUser.findUniqueOrThrow({ where: { email } }));
  const expiresAt = new Date(Date.now() + 86_400_000);
  const finance = await issueToken(switchyard, {
    scopes: ['reports'],
    name: 'Books',
    merchantIds: [merchantId],
    modes: ['test'],
    staffId,
    expiresAt,
  });
  if (finance.kind !== 'issued') throw new Error(finance.kind);
  ({ token } = finance);
  requests = openRequestLog(switchyard.resources.database, () => undefined);
  served = await serveOverHttp(switchyard, requests.record);
});
afterAll(async () => {
  gateway.closeAllConnections();
  gateway.close();
  await served.close();
  await opened.close();
});

/** Sends a request with the merchant's key. Returns the answer. */
async function rest(path: string, body: object, idempotencyKey = crypto.randomUUID()): Promise<string> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
  return (await fetch(`${served.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).text();
}

const ORDER = {
  merchantOrderId: 'order-1',
  amount: 2_500,
  currency: 'NGN',
  customer: { email: EMAIL, phone: PHONE, id: CUSTOMER, country: 'NG' },
  paymentMethod: 'card',
  metadata: { basket: [{ note: 'canary' }] },
  redirectUrl: `https://shop.example/?mail=${EMAIL}`,
};

/** The gateway's webhook about the person's payment, and the lookup that it causes. */
async function hearOf(paymentId: string, event: string): Promise<void> {
  const { prisma } = switchyard.resources.database;
  const { reference, accountId } = await prisma.attempt.findFirstOrThrow({ where: { paymentId } });
  const body = JSON.stringify({ event, data: { id: 302_961, reference, status: 'success', customer: { email: EMAIL } } });
  const signature = createHmac('sha512', SECRET).update(body).digest('hex');
  const sent = { method: 'POST', headers: { 'content-type': 'application/json', 'x-paystack-signature': signature }, body };
  expect((await fetch(`${served.url}/webhooks/paystack/${accountId}`, sent)).status).toBe(200);
  expect(await rest(`/v1/payments/${paymentId}/verify`, {})).toContain('"data"');
}

/** Pays and refunds an order of the person through all that merchants, the gateway and staff do. Returns the payment's id. */
async function paymentOfPerson(): Promise<string> {
  const begun = await rest('/v1/payments/initiate', ORDER);
  const paymentId = /"paymentId":"([^"]+)"/.exec(begun)?.[1] ?? begun;
  await rest('/v1/payments/initiate', { ...ORDER, merchantOrderId: `for ${CUSTOMER}`, amount: 0 });
  await hearOf(paymentId, 'charge.success');
  const refunded = await rest(`/v1/payments/${paymentId}/refunds`, { amount: 500, reason: 'canary' });
  const refundId = /"refundId":"([^"]+)"/.exec(refunded)?.[1] ?? refunded;
  await sendRefund(switchyard.payments, { merchantId, refundId });
  const actor = `staff:${staffId}`;
  await addPaymentNote(switchyard.payments, { merchantIds: [merchantId], paymentId, text: 'canary', actor });
  await saveView(switchyard, {
    page: 'payments',
    name: 'Ada',
    query: `search=${encodeURIComponent(EMAIL)}`,
    shared: true,
    staffId,
  });
  await requests.flush();
  return paymentId;
}

async function read(path: string, bearer: string, init: RequestInit = {}): Promise<string> {
  const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' };
  const response = await fetch(`${served.url}${path}`, { ...init, headers });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return text;
}

/** Everything that merchants and finance read of a payment, by each way of reading it. */
async function readEverywhere(paymentId: string) {
  const query = `query ($id: ID!) { payment(id: $id) {
    id amount currency status merchantOrderId metadata customer { email phone id country } } }`;
  const filter = encodeURIComponent(JSON.stringify({ mode: 'test' }));
  return {
    payment: await read(`/v1/payments/${paymentId}`, key),
    list: await read('/v1/payments', key),
    events: await read('/v1/events', key),
    refunds: await read(`/v1/payments/${paymentId}/refunds`, key),
    graphql: await read('/api/graphql', token, { method: 'POST', body: JSON.stringify({ query, variables: { id: paymentId } }) }),
    export: await read(`/api/export/payments?format=ndjson&filter=${filter}`, token),
  };
}

test('a customer who paid and was refunded is in documented columns alone, and once erased in no table, answer or log', async () => {
  const paymentId = await paymentOfPerson();
  const { database } = switchyard.resources;
  const held = columnsWith(await readAllRows({ database, resources: switchyard.resources }), CANARIES);
  // A column that is not about customers holds one: it is to be listed, erased and exported, or not to be written.
  expect(held.filter((column) => !(column in CUSTOMER_COLUMNS))).toEqual([]);
  // Texts that use cases write, from the order to the note of staff.
  expect(held).toEqual(
    expect.arrayContaining([
      ...['payment.customer_email', 'payment.metadata', 'attempt.packed_call', 'gateway_webhook.packed_body', 'refund.reason'],
      ...[
        'timeline_event.detail',
        'merchant_event.packed_body',
        'idempotency_record.body',
        'payment_note.text',
        'saved_view.query',
      ],
      'api_request.request_body',
    ]),
  );
  const before = await readEverywhere(paymentId);
  // The ways that show customers do, before.
  expect([before.graphql, before.export].map((text) => text.includes(EMAIL))).toEqual([true, true]);

  const subject = { merchantId, mode: 'test' as const, email: EMAIL.toUpperCase() };
  const exported = await exportCustomer(switchyard, { subject, actor: 'staff:ada' });
  expect(exported).toMatchObject({ kind: 'exported', payments: 1 });
  const preview = await previewErasure(switchyard, subject);
  const confirmation = preview.kind === 'found' ? preview.preview.confirmation : '';
  const erased = await eraseCustomer(switchyard, { subject, confirmation, actor: 'staff:ada' });
  expect(erased).toMatchObject({ kind: 'erased', counts: { payments: 1 } });

  expect(columnsWith(await readAllRows({ database, resources: switchyard.resources }), CANARIES)).toEqual([]);
  const after = await readEverywhere(paymentId);
  for (const [way, text] of Object.entries(after)) {
    expect(text, way).toContain(paymentId);
    for (const canary of CANARIES) expect(text.toLowerCase(), way).not.toContain(canary.toLowerCase());
  }
  const amounts = (read: typeof before) => Object.values(read).map((text) => /"amount":"?([\d.]+)/.exec(text)?.[1]);
  expect(amounts(after)).toEqual(amounts(before));
  // Events are otherwise as they were sent, to the order of their fields.
  expect(after.events).toBe(before.events.replace('"reason":"canary"', '"reason":"[erased]"'));

  // Later webhooks and look-ups of the payment bring nothing back, and neither does the same order once more.
  await hearOf(paymentId, 'charge.success');
  await hearOf(paymentId, 'charge.dispute.remind');
  expect(await rest('/v1/payments/initiate', ORDER)).toContain('"success":false');
  await requests.flush();
  expect(columnsWith(await readAllRows({ database, resources: switchyard.resources }), CANARIES)).toEqual([]);
  expect(opened.lines.length).toBeGreaterThan(10);
  const lines = opened.lines.map((line) => ({ table: 'log', columns: { line } }));
  expect(columnsWith(lines, CANARIES)).toEqual([]);
});
