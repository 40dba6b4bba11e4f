import { readFileSync } from 'node:fs';
import type { BankMapping } from '../bank/mapping.ts';
import type { SettlementMapping } from '../reading/mapping.ts';
import type { EnteredPayout } from '../reading/read-settlement-file.ts';

/** The columns of a gateway's file that has everything but kinds and currencies. */
export const MAPPING: SettlementMapping = {
  sheet: null,
  titlesLine: null,
  columns: {
    settlement: 'Settlement ref',
    settledOn: 'Settled on',
    reference: 'Reference',
    transactionId: 'Transaction id',
    kind: null,
    amount: 'Amount',
    direction: null,
    fee: 'Fee',
    net: null,
    currency: null,
    occurredAt: 'Paid at',
    description: null,
  },
  kinds: {},
  directions: {},
  signs: 'as_written',
  currency: 'NGN',
  unit: 'main',
  decimalMark: '.',
  dates: 'day_first',
  zone: 'Africa/Lagos',
};

/** The columns of a bank's file with one column of amounts. */
export const BANK_MAPPING: BankMapping = {
  sheet: null,
  titlesLine: null,
  columns: {
    bookedOn: 'Value date',
    amount: 'Amount',
    direction: null,
    credit: null,
    debit: null,
    text: 'Narration',
    reference: null,
  },
  directions: {},
  currency: 'NGN',
  decimalMark: '.',
  dates: 'day_first',
  zone: 'Africa/Lagos',
  emptyDays: 'unreadable',
};

export const NOTHING_ENTERED: EnteredPayout = { reference: null, settledOn: null };

/** A file with the titles of {@link MAPPING} above these rows. */
export function fileOf(...rows: readonly string[]): Uint8Array {
  const titles = 'Settlement ref,Settled on,Reference,Transaction id,Amount,Fee,Paid at';
  return new TextEncoder().encode([titles, ...rows].join('\n'));
}

/** A file as a gateway, a bank or a spreadsheet writes it, from the folder `fixtures`. */
export function fixture(name: string): Uint8Array {
  return readFileSync(new URL(`fixtures/${name}`, import.meta.url));
}
