import { readCall } from '@switchyard/payments/attempts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { order, readPayment, readRecord } from '../harness/contract.ts';
import { eventually } from '../harness/eventually.ts';
import { type Fault, otherThan, PAIR, type PairName } from '../harness/gateways.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchantOptions } from '../harness/merchants.ts';
import { MOUNTS, type Mount } from '../harness/mounts.ts';

/** Time to wait for a gateway that gives no answer: enough for the request to be sent on a busy machine. */
const WAIT_MS = 1_500;

let harness: Harness;
afterEach(() => harness.gateways.heal());

const INITIATE = '/v1/payments/initiate';

/** A merchant of its own per test: what befell its gateways before would count against them. */
const merchantTrying = (first: PairName, options: TestMerchantOptions = {}) =>
  harness.merchant({ order: [first, otherThan(first)], ...options });

const attemptsOf = (paymentId: string) =>
  harness.database.prisma.attempt.findMany({ where: { paymentId }, orderBy: { position: 'asc' } });

/** How long the gateways took, according to the answer. */
const gatewayMs = (timing: string | undefined) => Number(/gateway;dur=([\d.]+)/.exec(timing ?? '')?.[1]);

const troubles: [Fault, 'REFUSED' | 'UNKNOWN', string, string][] = [
  ['down', 'REFUSED', 'provider_fault', 'connection_refused'],
  ['hang', 'UNKNOWN', 'provider_fault', 'timeout'],
  ['slow', 'UNKNOWN', 'provider_fault', 'timeout'],
  ['http_500', 'UNKNOWN', 'provider_fault', 'http_5xx'],
  ['html_502', 'UNKNOWN', 'provider_fault', 'http_5xx'],
  ['broken_json', 'UNKNOWN', 'provider_fault', 'malformed_answer'],
  ['huge_body', 'UNKNOWN', 'provider_fault', 'answer_too_large'],
  ['timeout_after_create', 'UNKNOWN', 'provider_fault', 'timeout'],
  ['invalid_key', 'REFUSED', 'our_configuration', 'invalid_credentials'],
  ['rate_limited', 'REFUSED', 'provider_fault', 'rate_limited'],
];

describe.each(PAIR)('%s is tried first', (first) => {
  const second = otherThan(first);
  beforeAll(async () => {
    harness = await startHarness({ worker: false });
  });
  afterAll(() => harness.close());

  test.each(troubles)('%s: the second gateway serves, and the answer looks as ever', async (fault, state, failureClass, code) => {
    const merchant = await merchantTrying(first, code === 'timeout' ? { openingTimeoutMs: WAIT_MS } : {});
    await harness.gateways.setFault(first, fault, fault === 'slow' ? 20 * WAIT_MS : undefined);
    await Promise.all(MOUNTS.map((mount) => expectSecondServes(mount)));

    async function expectSecondServes(mount: Mount): Promise<void> {
      const reply = await harness.send(mount, 'POST', INITIATE, { key: merchant.testKey, body: order() });
      const payment = readPayment(reply);
      const { session } = payment.recommendedGateway;
      expect(payment).toMatchObject({ status: 'PENDING', executionStatus: 'processing', fallbackGateways: [] });
      expect([payment.recommendedGateway.name, session?.gateway]).toEqual([second, second]);
      expect(session?.metadata.fallbackGateways).toEqual([]);
      expect(session?.metadata.callbackUrl).toContain(merchant.accounts[second]);
      expect(gatewayMs(reply.headers['server-timing'])).toBeGreaterThanOrEqual(0);

      // The decision stays as it was taken; what happened to it is reported beside it.
      expect(payment.routing.recommended?.provider).toBe(first);
      expect(payment.routing.reasons.filter(({ category }) => category === 'fallback')).toEqual([
        {
          code: `gateway_failed_${code}`,
          title: `${first} failed`,
          message: expect.any(String),
          category: 'fallback',
          severity: 'warning',
        },
      ]);

      const [failed, opened, ...more] = await attemptsOf(payment.paymentId);
      expect(more).toEqual([]);
      expect(failed).toMatchObject({
        gateway: first,
        accountId: merchant.accounts[first],
        state,
        failureClass,
        failureCode: code,
      });
      expect(failed?.failureMessage).toMatch(/\S/);
      expect(opened).toMatchObject({
        gateway: second,
        accountId: merchant.accounts[second],
        state: 'OPENED',
        failureClass: null,
      });
      expect(opened?.reference).toBe(session?.reference);
      expect(failed?.reference).not.toBe(opened?.reference);
      for (const attempt of [failed, opened]) {
        expect(attempt?.latencyMs).toBeGreaterThanOrEqual(0);
        expect(attempt && readCall(attempt)).toMatchObject({ method: 'POST' });
      }
      const key = merchant.testKey;
      const read = readPayment(await harness.send(mount, 'GET', `/v1/payments/${payment.paymentId}`, { key }));
      expect(read).toMatchObject({ recommendedGateway: payment.recommendedGateway, routing: payment.routing });
    }
  });

  test('a gateway that is slow but in time keeps its payment', async () => {
    const merchant = await merchantTrying(first);
    await harness.gateways.setFault(first, 'slow', 200);
    const payments = await Promise.all(
      MOUNTS.map((mount) => harness.send(mount, 'POST', INITIATE, { key: merchant.testKey, body: order() })),
    );
    for (const reply of payments) {
      const payment = readPayment(reply);
      expect(payment.recommendedGateway.name).toBe(first);
      expect(payment.fallbackGateways).toEqual([{ name: second, reason: 'plan-fallback' }]);
    }
  });

  test('an attempt is on record before its gateway is called', async () => {
    const merchant = await merchantTrying(first);
    const key = merchant.testKey;
    const heard = async () => (await harness.gateways.journal(first)).calls.filter(({ method }) => method === 'POST').length;
    const heardBefore = await heard();
    await harness.gateways.setFault(first, 'hang');
    const body = order();
    const answer = harness.send('node', 'POST', INITIATE, { key, body });
    await eventually('the gateway to be called', async () => ((await heard()) > heardBefore ? true : null));

    // The call hangs: what another connection reads now was committed before it.
    const where = { merchantOrderId: String(body.merchantOrderId) };
    const row = await harness.database.prisma.payment.findFirst({ where, include: { attempts: true } });
    expect(row).toMatchObject({ status: 'INITIATED', attempts: [{ gateway: first, state: 'STARTED', position: 0 }] });
    const path = `/v1/payments/${row?.id}`;
    for (const mount of MOUNTS) {
      expect(readPayment(await harness.send(mount, 'GET', path, { key }))).toMatchObject({
        status: 'INITIATED',
        executionStatus: 'processing',
        recommendedGateway: { name: first, session: null },
      });
      const record = readRecord(await harness.send(mount, 'POST', `${path}/verify`, { key }));
      expect(record).toMatchObject({ type: 'payment.pending', data: { status: 'INITIATED', gatewayReference: '' } });
    }
    expect(readPayment(await answer).recommendedGateway.name).toBe(second);
  });

  test('every reference a gateway has received is that of an attempt recorded before', async () => {
    const { transactions } = await harness.gateways.journal(first);
    expect(transactions.length).toBeGreaterThan(0);
    for (const { reference, createdAt } of transactions) {
      const attempt = await harness.database.prisma.attempt.findFirst({ where: { reference, gateway: first } });
      expect(attempt, reference).not.toBeNull();
      expect(attempt?.createdAt.getTime()).toBeLessThanOrEqual(Date.parse(createdAt));
    }
  });
});

describe('every gateway fails', () => {
  beforeAll(async () => {
    harness = await startHarness({ worker: false, initiateBudgetMs: 2 * WAIT_MS });
  });
  afterAll(() => harness.close());

  test.each([
    ['down', 'down', 'REFUSED'],
    ['http_500', 'broken_json', 'UNKNOWN'],
    ['hang', 'hang', 'UNKNOWN'],
  ] as const)('%s and %s: the payment is FAILED in the answer', async (paystackFault, flutterwaveFault, state) => {
    const merchant = await merchantTrying('paystack');
    await harness.gateways.setFault('paystack', paystackFault);
    await harness.gateways.setFault('flutterwave', flutterwaveFault);
    await Promise.all(MOUNTS.map((mount) => expectFailure(mount)));

    async function expectFailure(mount: Mount): Promise<void> {
      const key = merchant.testKey;
      const reply = await harness.send(mount, 'POST', INITIATE, { key, body: order() });
      const payment = readPayment(reply);
      expect(reply.status).toBe(200);
      expect(reply.json).toMatchObject({ message: expect.stringMatching(/failed: no gateway could open a checkout/) });
      expect(payment).toMatchObject({
        status: 'FAILED',
        executionStatus: 'failed',
        recommendedGateway: { name: 'paystack', session: null },
        fallbackGateways: [],
      });
      expect(payment.routing.reasons.filter(({ category }) => category === 'fallback').map(({ title }) => title)).toEqual([
        'paystack failed',
        'flutterwave failed',
      ]);
      const attempts = await attemptsOf(payment.paymentId);
      expect(attempts.map(({ gateway, state: found }) => [gateway, found])).toEqual([
        ['paystack', state],
        ['flutterwave', state],
      ]);
      expect(new Set(attempts.map(({ reference }) => reference)).size).toBe(2);
      const read = readPayment(await harness.send(mount, 'GET', `/v1/payments/${payment.paymentId}`, { key }));
      expect(read).toMatchObject({ status: 'FAILED', recommendedGateway: { session: null } });
    }
  });

  test('verify answers FAILED too, and changes nothing when a gateway is back and has no such payment', async () => {
    const merchant = await merchantTrying('flutterwave');
    const key = merchant.testKey;
    await harness.gateways.setFault('paystack', 'http_500');
    await harness.gateways.setFault('flutterwave', 'http_500');
    const { paymentId } = readPayment(await harness.send('node', 'POST', INITIATE, { key, body: order() }));
    await harness.gateways.heal();
    for (const mount of MOUNTS) {
      const record = readRecord(await harness.send(mount, 'POST', `/v1/payments/${paymentId}/verify`, { key }));
      expect(record).toMatchObject({ type: 'payment.failed', data: { status: 'FAILED', executionStatus: 'failed' } });
    }
  });
});
