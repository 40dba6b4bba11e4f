import { newId } from '@switchyard/db';
import { issueKey } from '@switchyard/merchants/console/api-keys';
import { packSession } from '@switchyard/payments/initiate';
import { eraseCustomer, previewErasure } from '@switchyard/privacy';
import { issueToken } from '@switchyard/staff/machine-tokens';
import { packEventBody } from '@switchyard/webhooks/events/packed';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Switchyard } from './process.ts';
import { serveOverHttp } from './testing/served.ts';
import { createStaffWithGrants, createTestMerchant, openTestSwitchyard, recordPayment } from './testing/switchyard.ts';

const EMAIL = 'canary.ada@example.com';
const PHONE = '+2348035550199';
const CUSTOMER = 'CUST-CANARY-7';
/** Texts that name the person. */
const CANARIES = [EMAIL, PHONE, '8035550199', CUSTOMER, 'canary'];

let opened: Awaited<ReturnType<typeof openTestSwitchyard>>;
let switchyard: Switchyard;
let served: Awaited<ReturnType<typeof serveOverHttp>>;
let merchantId: string;
let key: string;
let token: string;

beforeAll(async () => {
  opened = await openTestSwitchyard();
  switchyard = opened.switchyard;
  merchantId = await createTestMerchant(switchyard, 'Balogun Books');
  const command = { merchantId, mode: 'test', name: 'server', expiresAt: null, actor: 'staff:ada' } as const;
  const issued = await issueKey(switchyard, command);
  if (issued.kind !== 'issued') throw new Error(issued.kind);
  key = issued.secretKey;
  const email = await createStaffWithGrants(switchyard, 'finance@example.com', [{ merchantId, role: 'finance' }]);
  const { id: staffId } = await switchyard.resources.database.prisma.staffUser.findUniqueOrThrow({ where: { email } });
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
  served = await serveOverHttp(switchyard);
});
afterAll(async () => {
  await served.close();
  await opened.close();
});

/** A payment that succeeded, with the person's data wherever a payment holds it, and the event of its success. */
async function paymentOfPerson(): Promise<string> {
  const { prisma } = switchyard.resources.database;
  const paymentId = await recordPayment(switchyard, merchantId, 'order-1');
  const url = `https://shop.example/?mail=${EMAIL}&paymentId=${paymentId}`;
  const of = { mode: 'test', paymentId, merchantId, merchantOrderId: 'order-1', referencePrefix: '', fallbackGateways: [] };
  const metadata = { ...of, callbackUrl: 'https://switchyard.example/return', redirectUrl: url };
  const checkout = { gateway: 'paystack', reference: 'r', accessCode: '', redirectUrl: 'https://checkout.paystack.com/x' };
  await prisma.payment.update({
    where: { merchantId_id: { merchantId, id: paymentId } },
    data: {
      status: 'SUCCESS',
      customerEmail: EMAIL,
      customerPhone: PHONE,
      customerId: CUSTOMER,
      metadata: { note: 'canary' },
      redirectUrl: url,
      packedSession: packSession({ merchantId, paymentId }, { raw: { email: EMAIL }, ...checkout, metadata }, []),
    },
  });
  await prisma.paymentCheck.deleteMany({ where: { paymentId } });
  const eventId = newId();
  const body = JSON.stringify({ id: eventId, type: 'payment.succeeded', data: { paymentId, amount: 2_500 } });
  const packedBody = packEventBody({ id: eventId, paymentId }, body);
  const event = { mode: 'test', paymentId, position: 2, type: 'payment.succeeded', packedBody, createdAt: new Date() } as const;
  await prisma.merchantEvent.create({ data: { merchantId, id: eventId, ...event } });
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
    graphql: await read('/api/graphql', token, { method: 'POST', body: JSON.stringify({ query, variables: { id: paymentId } }) }),
    export: await read(`/api/export/payments?format=ndjson&filter=${filter}`, token),
  };
}

test('after a customer is erased, no way of reading their payment names them, and its amount is the same everywhere', async () => {
  const paymentId = await paymentOfPerson();
  const before = await readEverywhere(paymentId);
  // The ways that show customers do, before.
  expect([before.graphql, before.export].map((text) => text.includes(EMAIL))).toEqual([true, true]);

  const subject = { merchantId, mode: 'test' as const, email: EMAIL.toUpperCase() };
  const preview = await previewErasure(switchyard, subject);
  const confirmation = preview.kind === 'found' ? preview.preview.confirmation : '';
  const erased = await eraseCustomer(switchyard, { subject, confirmation, actor: 'staff:ada' });
  expect(erased).toMatchObject({ kind: 'erased', counts: { payments: 1 } });

  const after = await readEverywhere(paymentId);
  for (const [way, text] of Object.entries(after)) {
    expect(text, way).toContain(paymentId);
    for (const canary of CANARIES) expect(text.toLowerCase(), way).not.toContain(canary.toLowerCase());
  }
  const amounts = (read: typeof before) => Object.values(read).map((text) => /"amount":"?([\d.]+)/.exec(text)?.[1]);
  expect(amounts(after)).toEqual(amounts(before));
  expect(amounts(after)).toEqual(Array.from({ length: 5 }, () => '2500'));
});
