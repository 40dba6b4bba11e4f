import { findGateway } from '@switchyard/gateways';
import { probeAccounts } from '@switchyard/provider-health/console';
import { reconcileDay, requestDay } from '@switchyard/reconciliation/runs';
import { simulators } from '@switchyard/sandbox';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { order, readPayment, readRecord } from '../harness/contract.ts';
import { eventually } from '../harness/eventually.ts';
import { GATEWAYS, type GatewayName, PAIR, unitsPerNaira } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import { lagosDay } from '../harness/lagos-day.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { goBackToMidday } from '../harness/midday.ts';
import { cardsOf } from '../harness/test-cards.ts';
import { openRefundHarness, type RefundHarness } from '../life/refund-harness.ts';

/*
 * Requirements on every gateway in the whole product, from the registry alone: a gateway is covered as soon as it has a connector
 * and a simulator.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const AMOUNT = 2_500;
const ASKED_AGAIN = { timeout: 60_000, interval: 500 };

let harness: Harness;
let steps: RefundHarness;
beforeAll(async () => {
  goBackToMidday();
  harness = await startHarness({ worker: false });
  steps = openRefundHarness(harness);
});
afterEach(() => harness.gateways.heal());
afterAll(async () => {
  await harness.close();
  vi.useRealTimers();
});

/** The path at which we get the customer back, with what the gateway adds, after a form of the hosted page. */
async function submit(page: string, form: string, fields: Record<string, string>): Promise<string> {
  const answer = await fetch(`${page}/${form}`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });
  return (answer.headers.get('location') ?? '').replace(harness.publicUrl, '');
}

async function open(merchant: TestMerchant, gateway: GatewayName) {
  const body = order({ requestedGateway: gateway, redirectUrl: 'https://shop.example/done' });
  const payment = readPayment(await harness.send('node', 'POST', '/v1/payments/initiate', { key: merchant.testKey, body }));
  const { session, name } = payment.recommendedGateway;
  return { ...payment, name, page: session?.redirectUrl ?? '', reference: session?.reference ?? '' };
}

const verify = async (merchant: TestMerchant, paymentId: string) =>
  readRecord(await harness.send('node', 'POST', `/v1/payments/${paymentId}/verify`, { key: merchant.testKey }));
const webhooksOf = (reference: string) => harness.database.prisma.gatewayWebhook.findMany({ where: { reference } });

describe.each(GATEWAYS)('at %s', (gateway) => {
  let merchant: TestMerchant;
  // Without a look-up of refunds, one that the gateway accepted stays PENDING, and its amount counts as refunded.
  const refundsEnd = findGateway(gateway)?.capabilities.missingLookups?.includes('findRefund') !== true;
  const refundedStatus = refundsEnd ? 'SUCCESS' : 'PENDING';
  beforeAll(async () => {
    merchant = await harness.merchant({ order: [gateway] });
  });

  test('a card pays on the hosted page, the customer comes back through us, and the merchant verifies', async () => {
    const { paymentId, page, reference, name } = await open(merchant, gateway);
    expect([name, new URL(page).pathname.split('/')[1]]).toEqual([gateway, gateway]);
    expect((await verify(merchant, paymentId)).type).toBe('payment.pending');
    const { number, expiry, cvv } = cardsOf(gateway).plain;
    const path = await submit(page, 'card', { number, expiry, cvv: cvv ?? '123' });
    expect(path).toMatch(new RegExp(`^/checkout/${paymentId}/`));
    const back = await harness.send('node', 'GET', path);
    expect([back.status, back.headers.location]).toEqual([303, `https://shop.example/done?paymentId=${paymentId}`]);
    const record = await verify(merchant, paymentId);
    expect(record).toMatchObject({
      type: 'payment.succeeded',
      data: { status: 'SUCCESS', amount: AMOUNT, currency: 'NGN', gatewayReference: reference },
    });
    const { cause } = await harness.database.prisma.timelineEvent.findFirstOrThrow({
      where: { paymentId, toStatus: 'SUCCESS' },
    });
    expect(cause).toBe('checkout_return');
  });

  test('money of another amount is no success', async () => {
    for (const change of [-1, 1]) {
      const { paymentId, reference } = await open(merchant, gateway);
      await harness.gateways.settle(gateway, reference, 'success', (AMOUNT + change) * unitsPerNaira(gateway));
      expect((await verify(merchant, paymentId)).type).toBe('payment.pending');
    }
  });

  test('a transfer of another amount ends as the gateway publishes it: sent back and said so, or received and reviewed', async () => {
    const { paymentId, page, reference } = await open(merchant, gateway);
    await submit(page, 'transfer', { amount: String(AMOUNT - 100) });
    const isReturned = findGateway(gateway)?.transfers.another_amount.end === 'returned';
    expect(simulators[gateway].returnsTransfers?.includes('another_amount') ?? false).toBe(isReturned);
    const event = isReturned ? 'payment.transfer_returned' : 'payment.requires_review';
    await eventually('the webhook of the transfer to be stored', async () => {
      const stored = await harness.database.prisma.gatewayWebhook.count({ where: { merchantId: merchant.merchantId, gateway } });
      return stored > 0 || (await webhooksOf(reference)).length > 0 ? true : null;
    });
    await eventually('the transfer to be in the timeline', async () => {
      await steps.runJobs();
      if (!isReturned) await verify(merchant, paymentId);
      const { timeline } = await steps.payment(paymentId);
      return timeline.some(({ type }) => type === event) ? true : null;
    });
    expect((await verify(merchant, paymentId)).type).toBe('payment.pending');
    if (!isReturned) return;
    await submit(page, 'transfer', { amount: String(AMOUNT) });
    expect((await verify(merchant, paymentId)).type).toBe('payment.succeeded');
  });

  test('a genuine webhook proves the payment, and a forged one is refused and leads to no look-up', async () => {
    await harness.gateways.setFault(gateway, 'forged_webhook');
    const { paymentId, reference } = await open(merchant, gateway);
    const forged = () =>
      eventually('the forged webhook to be refused', async () => {
        const { webhooks } = await harness.gateways.journal(gateway, reference);
        const tried = webhooks.filter((webhook) => webhook.forged && webhook.attempts.length > 0);
        return tried.length > 0 ? tried : null;
      });
    expect((await forged()).flatMap(({ attempts }) => attempts.map(({ status }) => status))).toEqual([401]);
    const { calls } = await harness.gateways.journal(gateway, reference);
    expect(calls.filter(({ method }) => method === 'GET')).toEqual([]);
    expect(await webhooksOf(reference)).toEqual([]);

    await harness.gateways.settle(gateway, reference, 'success');
    await eventually('the webhook to be stored', async () => ((await webhooksOf(reference)).length > 0 ? true : null));
    await steps.runJobs();
    const { status, timeline } = await steps.payment(paymentId);
    expect([status, timeline.at(-1)?.cause]).toEqual(['SUCCESS', 'gateway_webhook']);
  });

  test('a payment is refunded in part and whole, and never beyond', async () => {
    const payment = await steps.pay(merchant, gateway);
    for (const [amount, status] of [
      [1_000, 'SUCCESS'],
      [1_500, 'REFUNDED'],
    ] as const) {
      const refund = await steps.request(merchant, payment.paymentId, { amount, reason: 'Out of stock' });
      await steps.runJobs();
      await steps.end(payment, 'processed');
      // A gateway that does not answer in time is asked again.
      await expect
        .poll(async () => {
          await steps.follow();
          return steps.read(merchant, refund);
        }, ASKED_AGAIN)
        .toMatchObject({ status: refundedStatus, amount });
      expect((await steps.payment(payment.paymentId)).status).toBe(refundsEnd ? status : 'SUCCESS');
    }
    const sent = (await steps.gatewayRefunds(payment)).map(({ amount }) => amount);
    expect(sent.sort((one, other) => one - other)).toEqual([1_000, 1_500].map((naira) => naira * unitsPerNaira(gateway)));
    expect((await steps.postRefund(merchant, payment.paymentId, { amount: 1 })).status).toBe(409);
  });

  test('a refund whose answer was lost is found again, and not sent twice', async () => {
    const payment = await steps.pay(merchant, gateway);
    const refund = await steps.request(merchant, payment.paymentId, { amount: 1_000 });
    await harness.gateways.setFault(gateway, 'broken_json');
    await steps.runJobs();
    await harness.gateways.heal();
    await steps.follow(new Date(Date.now() + HOUR_MS));
    await steps.end(payment, 'processed');
    await steps.follow(new Date(Date.now() + 2 * HOUR_MS));
    expect(await steps.read(merchant, refund)).toMatchObject({ status: refundedStatus });
    expect(await steps.gatewayRefunds(payment)).toHaveLength(1);
  });

  test('a day that both sides agree on reconciles without discrepancies', async () => {
    const own = await harness.merchant({ order: [gateway] });
    const payment = await steps.pay(own, gateway);
    const refund = await steps.request(own, payment.paymentId, { amount: 500 });
    await steps.runJobs();
    await steps.end(payment, 'processed');
    await steps.follow();
    expect(await steps.read(own, refund)).toMatchObject({ status: refundedStatus });
    const day = lagosDay();
    const context = steps.at(new Date(Date.parse(`${day}T00:00:00+01:00`) + DAY_MS + 12 * HOUR_MS));
    const key = { merchantId: own.merchantId, accountId: own.accounts[gateway], day };
    expect(await requestDay(context, { ...key, actor: 'system:test' })).toEqual({ kind: 'requested' });
    await reconcileDay(context, key);
    const { prisma } = harness.database;
    expect(await prisma.reconciliationDiscrepancy.findMany({ where: { merchantId: own.merchantId } })).toEqual([]);
    const [run] = await prisma.reconciliationRun.findMany({ where: { merchantId: own.merchantId } });
    expect(run).toMatchObject({ state: 'DONE' });
  });

  test('while it refuses connections another gateway serves; refused keys take it out of rotation', async () => {
    const other = PAIR.find((name) => name !== gateway) ?? PAIR[0];
    const own = await harness.merchant({ order: [gateway, other] });
    await harness.gateways.setFault(gateway, 'down');
    const { paymentId, name } = await open(own, gateway);
    expect(name).toBe(other);
    const [refused, opened] = (await steps.payment(paymentId)).attempts;
    expect([refused?.gateway, refused?.state, opened?.gateway, opened?.state]).toEqual([gateway, 'REFUSED', other, 'OPENED']);
    await harness.gateways.setFault(gateway, 'invalid_key');
    const again = await steps.payment((await open(own, gateway)).paymentId);
    expect(again.attempts[0]).toMatchObject({ gateway, state: 'REFUSED', failureClass: 'our_configuration' });
  });

  test('a probe of an idle account asks about its newest checkout and finds it working', async () => {
    const own = await harness.merchant({ order: [gateway] });
    const { reference } = await open(own, gateway);
    const callsOf = async () => (await harness.gateways.journal(gateway, reference)).calls;
    const before = (await callsOf()).length;
    // A process that has seen no payment yet, and hears of none before it probes: all accounts are idle to it.
    const { switchyard } = await harness.startWebProcess({ clock: () => new Date() });
    await switchyard.resources.configuration.ready();
    await probeAccounts(switchyard.payments, new Map());
    const probes = (await callsOf()).slice(before);
    expect(probes.map(({ method, status }) => [method, status !== null && status < 500])).toEqual([['GET', true]]);
    // And once it is paid: a look-up that has to name the amount must name the right one.
    await harness.gateways.settle(gateway, reference, 'success');
    await probeAccounts(switchyard.payments, new Map());
    await switchyard.payments.health.tick();
    const details = switchyard.payments.health.details(own.merchantId);
    expect(details.map(({ lookups }) => lookups)).toEqual([{ answered: 2, failed: 0 }]);
  });

  test('the credentials of its accounts have the names that its simulator registers them under', () => {
    const { accountFields, keyField } = simulators[gateway];
    expect(Object.keys(merchant.gatewayKeys[gateway])).toContain(keyField);
    expect(Object.keys(accountFields)).toEqual(expect.arrayContaining(Object.keys(merchant.gatewayKeys[gateway])));
  });
});
