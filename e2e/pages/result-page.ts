import type { Locator, Page } from '@playwright/test';

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
