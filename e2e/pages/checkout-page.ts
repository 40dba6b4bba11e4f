import type { Locator, Page } from '@playwright/test';
import type { GatewayName } from '../harness/gateways.ts';

/** A gateway's hosted page, as a customer uses it. */
export interface CheckoutPage {
  open(url: string): Promise<void>;
  /** Fills in one of the test cards and pays. */
  payByCard(card: string): Promise<void>;
  typeCard(card: { readonly number: string; readonly expiry: string; readonly cvv: string }): Promise<void>;
  pay(): Promise<void>;
  enterPin(pin: string): Promise<void>;
  enterOtp(otp: string): Promise<void>;
  approveAtBank(): Promise<void>;
  /** Enters the transferred amount, or the amount due. */
  payByTransfer(amount?: number): Promise<void>;
  cancel(): Promise<void>;
  /** The way back that the page offers when there is nothing left to do on it, or after a failure. */
  readonly wayBack: Locator;
  /** The page's message after a failed try. */
  readonly failure: Locator;
}

interface Cards {
  readonly plain: string;
  readonly pinAndOtp: { readonly card: string; readonly pin: string; readonly otp: string };
  readonly bank: string;
  readonly declined: string;
  readonly typed: { readonly number: string; readonly expiry: string; readonly cvv: string };
}

/** The test cards the gateways document, by the names their pages give them. */
export const CARDS: Readonly<Record<GatewayName, Cards>> = {
  paystack: {
    plain: 'Success',
    pinAndOtp: { card: 'Success with PIN and OTP', pin: '1234', otp: '123456' },
    bank: 'Bank authentication',
    declined: 'Declined',
    typed: { number: '4084084084084081', expiry: '1230', cvv: '408' },
  },
  flutterwave: {
    plain: 'Success, Verve without challenge',
    pinAndOtp: { card: 'Success with PIN and OTP', pin: '3310', otp: '12345' },
    bank: 'Success with 3D Secure',
    declined: 'Declined',
    typed: { number: '5061460166976054667', expiry: '0932', cvv: '123' },
  },
};

export function checkoutPage(page: Page): CheckoutPage {
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: typeof name === 'string' });
  const pay = (): Promise<void> => button(/^Pay NGN/).click();

  return {
    async open(url) {
      await page.goto(url);
    },
    async payByCard(card) {
      await button(`Use card: ${card}`).click();
      await pay();
    },
    async typeCard({ number, expiry, cvv }) {
      await page.getByLabel('Card number').pressSequentially(number);
      await page.getByLabel('Expiry').pressSequentially(expiry);
      await page.getByLabel('CVV').pressSequentially(cvv);
    },
    pay,
    async enterPin(pin) {
      await page.getByLabel('PIN').fill(pin);
      await button('Continue').click();
    },
    async enterOtp(otp) {
      await page.getByLabel('OTP').fill(otp);
      await button('Continue').click();
    },
    async approveAtBank() {
      await button('Approve at the bank').click();
    },
    async payByTransfer(amount) {
      if (amount !== undefined) await page.getByLabel('Amount to send').fill(String(amount));
      await button('I have sent the money').click();
    },
    async cancel() {
      await button('Cancel payment').click();
    },
    wayBack: page.getByRole('link', { name: 'Return to merchant' }).or(page.getByRole('button', { name: 'Return to merchant' })),
    failure: page.getByRole('alert'),
  };
}
