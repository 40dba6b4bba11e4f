import type { Locator, Page } from '@playwright/test';
import type { TestCard } from '@switchyard/sandbox';

/** A gateway's hosted page, as a customer uses it. */
export interface CheckoutPage {
  open(url: string): Promise<void>;
  /** Fills in one of the test cards and pays. */
  payByCard(card: Pick<TestCard, 'name'>): Promise<void>;
  /** Types a card's number, expiry and CVV, as a customer does who has it in hand. */
  typeCard(card: Pick<TestCard, 'number' | 'expiry' | 'cvv'>): Promise<void>;
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

export function checkoutPage(page: Page): CheckoutPage {
  const button = (name: string | RegExp): Locator => page.getByRole('button', { name, exact: typeof name === 'string' });
  const pay = (): Promise<void> => button(/^Pay NGN/).click();

  return {
    async open(url) {
      await page.goto(url);
    },
    async payByCard(card) {
      await button(`Use card: ${card.name}`).click();
      await pay();
    },
    async typeCard({ number, expiry, cvv }) {
      await page.getByLabel('Card number').pressSequentially(number);
      await page.getByLabel('Expiry').pressSequentially(expiry.replace('/', ''));
      await page.getByLabel('CVV').pressSequentially(cvv ?? '123');
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

/** Our own page at the end of a payment, for customers of merchants who have none. */
export interface ResultPage {
  readonly title: Locator;
  readonly testBand: Locator;
  readonly checkAgain: Locator;
  /** The payment's status on the page, by its displayed text. */
  fact(name: string): Locator;
}

export function resultPage(page: Page): ResultPage {
  return {
    title: page.getByRole('heading', { level: 1 }),
    testBand: page.getByText('Test payment: no money has moved'),
    checkAgain: page.getByRole('link', { name: 'Check again now' }),
    fact: (name) => page.getByRole('term').filter({ hasText: name }).locator('+ dd'),
  };
}
