/// <reference path="./mt940js.d.ts" />
import { dayText } from '@switchyard/runtime/calendar-days';
import type { StatementLine } from './statement-line.ts';

/** The library has amounts as doubles: with two decimals they are exact up to this many main units. */
const AMOUNT_MAX = 10_000_000_000_000;

/**
 * Reads MT940; why it cannot be read where it cannot. The library checks that balances and lines agree, so that a statement that was cut off is
 * not taken in.
 */
export async function readMt940(text: string): Promise<readonly StatementLine[] | string> {
  const { default: mt940 } = await import('mt940js');
  try {
    return new mt940.Parser().parse(text.replaceAll('\r\n', '\n')).flatMap((statement) =>
      statement.transactions.map((transaction): StatementLine => {
        const { date, entryDate, amount, currency, details, reference, bankReference, extraDetails } = transaction;
        if (!(Math.abs(amount) <= AMOUNT_MAX)) throw new RangeError('has an amount that is too large');
        return {
          bankAccount: statement.accountIdentification.slice(0, 100),
          bookedOn: dayText(entryDate ?? date),
          amount: String(amount),
          currency,
          text: [details, reference, bankReference, extraDetails].filter((part) => part !== '' && part !== 'NONREF').join(' '),
        };
      }),
    );
  } catch (error) {
    return `cannot be read as MT940: ${error instanceof Error ? error.message : 'it is none'}`;
  }
}
