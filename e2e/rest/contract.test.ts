import { setOverride } from '@switchyard/rule-sets/overrides';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { order, type Payment, readFailure, readPayment, readRecord, shapeOf } from '../harness/contract.ts';
import { endSession } from '../harness/database-proxy.ts';
import { type Harness, startHarness } from '../harness/harness.ts';
import type { TestMerchant } from '../harness/merchants.ts';
import { BOTH_MOUNTS } from '../harness/mounts.ts';
import { ONLY_ON_INITIATE, paymentTable, SUCCESS, under, VERIFICATION_RESULT } from './contract-tables.ts';

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness({ worker: false });
});
afterAll(() => harness.close());

const isoInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

describe.each(BOTH_MOUNTS)('through the %s mount', (mount) => {
  const send = (merchant: TestMerchant, method: string, path: string, body?: unknown) =>
    harness.send(mount, method, path, { key: merchant.testKey, body });
  const initiate = async (merchant: TestMerchant, changes = {}) =>
    readPayment(await send(merchant, 'POST', '/v1/payments/initiate', order(changes)));

  describe.each(['paystack', 'flutterwave'] as const)('a payment through %s', (gateway) => {
    const merchant = () => (gateway === 'paystack' ? harness.first : harness.second);

    test('initiate answers every field of the tables, by name and type, and no other', async () => {
      const reply = await send(merchant(), 'POST', '/v1/payments/initiate', order());
      expect(shapeOf(reply.json)).toEqual({
        ...SUCCESS,
        ...under('data', { ...paymentTable(gateway), ...ONLY_ON_INITIATE }),
      });
    });

    test('get answers the same without the fields of initiate alone', async () => {
      const initiated = await initiate(merchant());
      const reply = await send(merchant(), 'GET', `/v1/payments/${initiated.paymentId}`);
      expect(shapeOf(reply.json)).toEqual({ ...SUCCESS, ...under('data', paymentTable(gateway)) });
      const same = Object.fromEntries(Object.entries(initiated).filter(([name]) => !(name in ONLY_ON_INITIATE)));
      expect(readPayment(reply)).toEqual(same);
    });

    test.each([
      ['pending', null, 'PENDING', 'processing'],
      ['succeeded', 'success', 'SUCCESS', 'succeeded'],
      ['failed', 'failed', 'FAILED', 'failed'],
    ] as const)('verify answers the event record of a payment that is %s', async (word, outcome, status, executionStatus) => {
      const body = order();
      const { paymentId, recommendedGateway } = readPayment(await send(merchant(), 'POST', '/v1/payments/initiate', body));
      const gatewayReference = recommendedGateway.session?.reference ?? '';
      if (outcome !== null) await harness.gateways.settle(gateway, gatewayReference, outcome);
      if (outcome === 'failed') await endSession(harness.database, paymentId);
      const reply = await send(merchant(), 'POST', `/v1/payments/${paymentId}/verify`);
      expect(shapeOf(reply.json)).toEqual({ ...SUCCESS, ...under('data', VERIFICATION_RESULT) });
      const record = readRecord(reply);
      expect(record).toEqual({
        id: expect.stringMatching(uuid),
        type: `payment.${word}`,
        createdAt: expect.stringMatching(isoInstant),
        merchantNumber: merchant().merchantNumber,
        data: {
          paymentId,
          merchantOrderId: body.merchantOrderId,
          status,
          executionStatus,
          currency: 'NGN',
          amount: 2_500,
          gatewayReference,
        },
      });
    });

    test('the session names its gateway and its addresses', async () => {
      const body = order({ redirectUrl: 'https://shop.example/thanks?lang=en#done' });
      const payment = readPayment(await send(merchant(), 'POST', '/v1/payments/initiate', body));
      const { paymentId, merchantOrderId, fallbackGateways } = payment;
      const session = payment.recommendedGateway.session;
      const other = gateway === 'paystack' ? 'flutterwave' : 'paystack';
      expect(fallbackGateways).toEqual([{ name: other, reason: 'plan-fallback' }]);
      expect(session).toMatchObject({
        gateway,
        metadata: {
          mode: 'test',
          paymentId,
          merchantId: merchant().merchantId,
          merchantOrderId,
          callbackUrl: `${harness.publicUrl}/checkout/${paymentId}/${merchant().accounts[gateway]}/return`,
          redirectUrl: `https://shop.example/thanks?lang=en&paymentId=${paymentId}#done`,
          referencePrefix: '',
          fallbackGateways,
        },
      });
      const raw = session?.raw ?? {};
      const { transactions } = await harness.gateways.journal(gateway, session?.reference);
      expect(transactions).toHaveLength(1);
      expect(transactions[0]?.amount).toBe(gateway === 'paystack' ? 250_000 : 2_500);
      if (gateway === 'paystack') {
        expect(raw).toEqual({
          reference: session?.reference,
          access_code: session?.accessCode,
          authorization_url: session?.redirectUrl,
        });
      } else {
        expect([raw, session?.accessCode]).toEqual([{ link: session?.redirectUrl }, '']);
      }
    });
  });

  test('the request’s fields are echoed, times are UTC, and nothing was updated before it was created', async () => {
    const body = order({ amount: 1_000_000_000_000, paymentMethod: 'TRANSFER' });
    const payment = readPayment(await send(harness.first, 'POST', '/v1/payments/initiate', body));
    expect(payment).toMatchObject({ merchantOrderId: body.merchantOrderId, amount: 1_000_000_000_000, currency: 'NGN' });
    for (const instant of [payment.createdAt, payment.updatedAt, payment.routing.decidedAt]) expect(instant).toMatch(isoInstant);
    expect(payment.createdAt <= payment.updatedAt).toBe(true);
    expect(payment.paymentId).toMatch(uuid);
  });

  describe('the routing record', () => {
    const routed = (payment: Payment) => {
      const { rationaleCode, contextKey } = payment.routing;
      return { rationaleCode, contextKey, first: payment.recommendedGateway.name };
    };

    test.each([
      ['the rule that matched', { paymentMethod: 'card', amount: 5_000 }, 'smart_routing_rule', 'NGN|CARD|0-5000'],
      ['no rule for the amount', { paymentMethod: 'card', amount: 5_001 }, 'default_provider_order', 'NGN|CARD|0-*'],
      ['no rule for the method', { paymentMethod: 'Bank_Transfer' }, 'default_provider_order', 'NGN|TRANSFER|0-*'],
      ['no method', { paymentMethod: undefined }, 'default_provider_order', 'NGN|ANY|0-*'],
    ])('reports %s', async (_what, changes, rationaleCode, contextKey) => {
      const payment = await initiate(harness.second, changes);
      expect(routed(payment)).toEqual({ rationaleCode, contextKey, first: 'flutterwave' });
      expect(payment.routing).toMatchObject({
        version: 1,
        overrides: [],
        candidates: [
          { index: 0, eligible: true, provider: 'flutterwave', subproviderId: harness.second.accounts.flutterwave },
          { index: 1, eligible: true, provider: 'paystack', subproviderId: harness.second.accounts.paystack },
        ],
        recommended: { index: 0, provider: 'flutterwave', subproviderId: harness.second.accounts.flutterwave },
      });
      expect(payment.routing.reasons[0]).toMatchObject({ category: 'rule', severity: 'info' });
      expect(payment).toMatchObject({ routingMode: 'smart', requestedGateway: null, smartRoutingBypassed: false });
    });

    test('reports that the merchant named the gateway; the default order supplies the fallbacks', async () => {
      const payment = await initiate(harness.first, { requestedGateway: 'flutterwave' });
      expect(routed(payment)).toMatchObject({ rationaleCode: 'requested_gateway', first: 'flutterwave' });
      expect(payment).toMatchObject({
        routingMode: 'requested',
        requestedGateway: 'flutterwave',
        smartRoutingBypassed: true,
        fallbackGateways: [{ name: 'paystack', reason: 'plan-fallback' }],
      });
    });

    test.each(['drain', 'disable'] as const)(
      'reports an operator who %ss an account, field by field, and follows payments already there to their end',
      async (action) => {
        const merchant = await harness.merchant();
        const before = await initiate(merchant);
        expect(before.recommendedGateway.name).toBe('paystack');
        await setOverride(harness.switchyard, {
          merchantId: merchant.merchantId,
          accountId: merchant.accounts.paystack,
          method: null,
          action,
          reason: 'Settlement is being looked into.',
          startsAt: null,
          expiresAt: null,
          actor: 'ngozi@switchyard.example',
        });
        const payment = await initiate(merchant);
        expect(payment.recommendedGateway.name).toBe('flutterwave');
        expect(payment.fallbackGateways).toEqual([]);
        expect(payment.routing.overrides).toEqual([
          {
            provider: 'paystack',
            subproviderId: merchant.accounts.paystack,
            action,
            reason: 'Settlement is being looked into.',
            actor: 'ngozi@switchyard.example',
            expiresAt: null,
          },
        ]);
        expect(payment.routing.candidates).toContainEqual({
          index: expect.any(Number),
          eligible: false,
          provider: 'paystack',
          subproviderId: merchant.accounts.paystack,
          ineligibleReason: 'disabled_by_operator',
        });
        expect(payment.routing.reasons).toContainEqual(expect.objectContaining({ category: 'override', severity: 'warning' }));
        await harness.gateways.settle('paystack', before.recommendedGateway.session?.reference ?? '', 'success');
        const verified = readRecord(await send(merchant, 'POST', `/v1/payments/${before.paymentId}/verify`));
        expect(verified).toMatchObject({ type: 'payment.succeeded', data: { status: 'SUCCESS' } });
      },
    );

    test('reports that no account can take the payment: it fails with a session of null and a reason', async () => {
      const body = order({ paymentMethod: 'QR' });
      const reply = await send(harness.first, 'POST', '/v1/payments/initiate', body);
      const payment = readPayment(reply);
      expect(reply.json).toMatchObject({ message: expect.stringMatching(/fail/i) });
      expect(payment).toMatchObject({
        status: 'FAILED',
        executionStatus: 'failed',
        recommendedGateway: { session: null },
        fallbackGateways: [],
        routing: { rationaleCode: 'no_eligible_provider', contextKey: 'NGN|QR|0-*', recommended: null },
      });
      expect(payment.routing.candidates.map(({ ineligibleReason }) => ineligibleReason)).toEqual([
        'method_not_supported',
        'method_not_supported',
      ]);
      const verified = readRecord(await send(harness.first, 'POST', `/v1/payments/${payment.paymentId}/verify`));
      expect(verified).toMatchObject({ type: 'payment.failed', data: { status: 'FAILED', gatewayReference: '' } });
    });
  });

  test('a failure has the failure envelope and nothing else', async () => {
    const reply = await send(harness.first, 'POST', '/v1/payments/initiate', { ...order(), amount: 'much' });
    expect(shapeOf(reply.json)).toEqual({
      success: 'boolean',
      statusCode: 'integer',
      message: 'string',
      code: 'string',
      data: 'object',
      'data.errors': 'array',
      'data.errors[]': 'string',
      'data.details': 'array',
      'data.details[]': 'object',
      'data.details[].code': 'string',
      'data.details[].field': 'string',
    });
    expect(readFailure(reply).success).toBe(false);
  });
});
