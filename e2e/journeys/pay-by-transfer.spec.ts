import { checkoutPage } from '../pages/checkout-page.ts';
import { PAIR } from './fixtures/gateways.ts';
import { checkoutOf } from './fixtures/merchant.ts';
import { signInAsOwner } from './fixtures/staff.ts';
import { expect, merchant, test } from './fixtures/test.ts';

const DUE = 4_000;
/** The end of a transfer of another amount, by the gateways' documents. */
const ENDS = {
  paystack: 'it is sent back, and the customer sends the right amount',
  flutterwave: 'the payment waits for a person',
} as const;

/** Payers, with as many of the last four digits of the account number as the gateway shows. */
const PAYERS = {
  paystack: 'Sandbox Customer, Sandbox Bank, account ending 553',
  flutterwave: 'SANDBOX CUSTOMER, Sandbox Bank, account ending 90',
  // By the bank's code, and in a look-up alone.
  monnify: 'Sandbox Customer, bank code 000015, account ending 4872',
} as const;

for (const gateway of [...PAIR, 'monnify'] as const) {
  test(`by bank transfer through ${gateway} the exact amount pays, and staff see who paid as the gateway names them`, async ({
    page,
    shop,
  }) => {
    const order = { amount: DUE, paymentMethod: 'transfer', requestedGateway: gateway, redirectUrl: shop.redirectUrl };
    const { payment } = await merchant.initiate(order);
    const checkout = checkoutPage(page);
    await checkout.open(checkoutOf(payment).payAt);
    await checkout.payByTransfer();
    await shop.waitForCustomer();
    expect(await merchant.verify(payment.paymentId)).toMatchObject({ type: 'payment.succeeded', data: { amount: DUE } });
    await signInAsOwner(page);
    await page.goto(`/payments/${payment.paymentId}?mode=test`);
    await expect(page.getByText(PAYERS[gateway])).toBeVisible();
  });
}

for (const gateway of PAIR) {
  test.describe(`by bank transfer through ${gateway}`, () => {
    for (const [word, sent] of [
      ['too little', DUE - 500],
      ['too much', DUE + 500],
    ] as const) {
      test(`${word} pays nothing: ${ENDS[gateway]}`, async ({ page, shop }) => {
        const order = { amount: DUE, paymentMethod: 'transfer', requestedGateway: gateway, redirectUrl: shop.redirectUrl };
        const { payment } = await merchant.initiate(order);
        const checkout = checkoutPage(page);
        await checkout.open(checkoutOf(payment).payAt);
        await checkout.payByTransfer(sent);
        if (gateway === 'paystack')
          await expect(page.getByText('goes back to your bank: send exactly the amount of the order.')).toBeVisible();
        else await shop.waitForCustomer();
        expect(await merchant.verify(payment.paymentId)).toMatchObject({
          type: 'payment.pending',
          data: { status: 'PENDING', amount: DUE },
        });
        expect(await merchant.read(payment.paymentId)).toMatchObject({ status: 'PENDING', executionStatus: 'processing' });
        if (gateway !== 'paystack') return;
        await checkout.payByTransfer(DUE);
        await shop.waitForCustomer();
        expect(await merchant.verify(payment.paymentId)).toMatchObject({ type: 'payment.succeeded', data: { amount: DUE } });
      });
    }
  });
}
