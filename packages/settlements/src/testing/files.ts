import type { SettlementMapping } from '../files/mapping.ts';
import type { EnteredPayout } from '../files/read-settlement-file.ts';

/** The columns of a gateway's file that has everything but kinds and currencies. */
export const MAPPING: SettlementMapping = {
  columns: {
    settlement: 'Settlement ref',
    settledOn: 'Settled on',
    reference: 'Reference',
    transactionId: 'Transaction id',
    kind: null,
    amount: 'Amount',
    fee: 'Fee',
    net: null,
    currency: null,
    occurredAt: 'Paid at',
    description: null,
  },
  kinds: {},
  currency: 'NGN',
  unit: 'main',
  decimalMark: '.',
  dates: 'day_first',
  zone: 'Africa/Lagos',
};

export const NOTHING_ENTERED: EnteredPayout = { reference: null, settledOn: null };

/** A file with the titles of {@link MAPPING} above these rows. */
export function fileOf(...rows: readonly string[]): Uint8Array {
  const titles = 'Settlement ref,Settled on,Reference,Transaction id,Amount,Fee,Paid at';
  return new TextEncoder().encode([titles, ...rows].join('\n'));
}
