import { cardsOf } from '../harness/test-cards.ts';
import { checkoutPage } from '../pages/checkout-page.ts';
import { GATEWAYS, otherThan, PAIR } from './fixtures/gateways.ts';
import { checkoutOf } from './fixtures/merchant.ts';
import { expect, faultyMerchant as merchant, test } from './fixtures/test.ts';

/** The longest a customer's browser may wait on its return, plus a margin for a busy machine. */
const WAY_BACK_MS = 5_000 + 3_000;

/*
 * An account has a health state by method. Each kind of fault keeps to a method, so that together they do not add up to an
 * account that is no longer tried first.
 */
const byTransfer = { paymentMethod: 'transfer' } as const;
const byUssd = { paymentMethod: 'ussd' } as const;

/** Enough successes beside each fault; otherwise all faults together would take an account out of rotation on a slow machine. */
test.beforeEach(async () => {
  for (const gateway of PAIR) {
    for (let well = 0; well < 5; well++) await merchant.initiate({ requestedGateway: gateway });
  }
});

for (const gateway of PAIR) {
  test(`while ${gateway} is down the other gateway serves, in an answer of the same shape`, async ({ page, shop, gateways }) => {
    await gateways.setFault(gateway, 'down');
    const { payment, message } = await merchant.initiate({ requestedGateway: gateway, redirectUrl: shop.redirectUrl });
    expect(message).toBe('Payment initiated');
    expect(payment).toMatchObject({
      status: 'PENDING',
      executionStatus: 'processing',
      recommendedGateway: { name: otherThan(gateway), session: { gateway: otherThan(gateway) } },
      requestedGateway: gateway,
      routing: { recommended: { provider: gateway } },
    });
    const left = payment.fallbackGateways.map(({ name }) => name);
    expect(GATEWAYS.filter((name) => name !== gateway && name !== otherThan(gateway))).toEqual(left);
    expect(payment.routing.reasons.map(({ category }) => category)).toContain('fallback');

    const checkout = checkoutPage(page);
    await checkout.open(checkoutOf(payment).payAt);
    await checkout.payByCard(cardsOf(otherThan(gateway)).plain);
    await shop.waitForCustomer();
    expect((await merchant.verify(payment.paymentId)).type).toBe('payment.succeeded');
    expect((await merchant.read(payment.paymentId)).recommendedGateway.name).toBe(otherThan(gateway));
  });

  test(`when ${gateway} goes down before a customer comes back, they are sent on and the proof follows`, async ({
    page,
    shop,
    gateways,
  }) => {
    const { payment } = await merchant.initiate({ ...byTransfer, requestedGateway: gateway, redirectUrl: shop.redirectUrl });
    const { payAt, paymentId, reference } = checkoutOf(payment);
    // Webhooks are suppressed so that only the customer's return can prove the payment.
    await gateways.setFault(gateway, 'no_webhook');
    await gateways.payOutsideCheckout(gateway, reference);
    const checkout = checkoutPage(page);
    await checkout.open(payAt);
    await gateways.setFault(gateway, 'down');
    await checkout.wayBack.click();
    const landed = await shop.waitForCustomer({ timeout: WAY_BACK_MS });
    expect(landed.searchParams.getAll('paymentId')).toEqual([paymentId]);
    expect((await merchant.read(paymentId)).status).toBe('PENDING');

    await gateways.heal(gateway);
    expect((await merchant.verify(paymentId)).type).toBe('payment.succeeded');
  });

  test(`when ${gateway} hangs while a customer comes back, they are sent on and the proof follows`, async ({
    page,
    shop,
    gateways,
  }) => {
    const { payment } = await merchant.initiate({ ...byTransfer, requestedGateway: gateway, redirectUrl: shop.redirectUrl });
    const { payAt, paymentId } = checkoutOf(payment);
    const checkout = checkoutPage(page);
    await checkout.open(payAt);
    await gateways.setFault(gateway, 'hang');
    await checkout.payByTransfer();
    const landed = await shop.waitForCustomer({ timeout: WAY_BACK_MS });
    expect(landed.searchParams.getAll('paymentId')).toEqual([paymentId]);
    expect((await merchant.read(paymentId)).status).toBe('PENDING');

    await gateways.heal(gateway);
    expect((await merchant.verify(paymentId)).type).toBe('payment.succeeded');
  });

  for (const kind of ['underpaid', 'overpaid'] as const) {
    test(`a card payment that arrives ${kind} at ${gateway} proves nothing`, async ({ page, shop, gateways }) => {
      await gateways.setFault(gateway, kind);
      const { payment } = await merchant.initiate({ requestedGateway: gateway, redirectUrl: shop.redirectUrl });
      const checkout = checkoutPage(page);
      await checkout.open(checkoutOf(payment).payAt);
      await checkout.payByCard(cardsOf(gateway).plain);
      await shop.waitForCustomer();
      expect((await merchant.verify(payment.paymentId)).type).toBe('payment.pending');
    });
  }
}

test('with every gateway refusing calls the answer is FAILED, without a session', async ({ gateways }) => {
  // A cut connection leaves the outcome unknown: only a refusal proves that there is no checkout.
  for (const gateway of GATEWAYS) await gateways.setFault(gateway, 'rate_limited');
  const { payment, message } = await merchant.initiate(byUssd);
  expect(message).toBe('Payment failed: no gateway could open a checkout');
  expect(payment).toMatchObject({
    status: 'FAILED',
    executionStatus: 'failed',
    recommendedGateway: { session: null },
    fallbackGateways: [],
  });
  expect(await merchant.verify(payment.paymentId)).toMatchObject({ type: 'payment.failed', data: { status: 'FAILED' } });
});
