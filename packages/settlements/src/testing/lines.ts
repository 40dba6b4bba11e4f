import type { LedgerEntry, MatchLine } from '../matching/entries.ts';

/* Both sides of an account, each by its number: the same number is the same payment. */

export const noon = new Date('2026-11-24T11:00:00.000Z');

/** A payment of NGN 2,500 with a fee of 37.50, paid on Tuesday 24 November and expected on Wednesday. */
export function payment(at: number, changes: Partial<LedgerEntry> = {}): LedgerEntry {
  return {
    subject: `payment/${at}`,
    kind: 'payment',
    paymentId: String(at),
    refundId: null,
    disputeId: null,
    references: [`sw-${at}`],
    transactionIds: [String(1000 + at)],
    currency: 'NGN',
    amount: '2500',
    fee: '37.5',
    stance: 'due',
    occurredAt: noon,
    expectedOn: '2026-11-25',
    ...changes,
  };
}

/** A refund of NGN 400 of that payment. */
export function refund(at: number, changes: Partial<LedgerEntry> = {}): LedgerEntry {
  return payment(at, {
    subject: `refund/${at}`,
    kind: 'refund',
    refundId: String(at),
    references: [`rf-${at}`, `sw-${at}`],
    amount: '-400',
    fee: '0',
    ...changes,
  });
}

export function line(lineId: string, changes: Partial<MatchLine> = {}): MatchLine {
  return {
    lineId,
    kind: 'PAYMENT',
    amount: '2500',
    currency: 'NGN',
    reference: null,
    transactionId: null,
    occurredAt: null,
    settledOn: '2026-11-25',
    subjects: [],
    ...changes,
  };
}

/** The amount and the fee of a payment, as a gateway settles them. */
export function settled(at: number): MatchLine[] {
  const of = { reference: `sw-${at}`, transactionId: String(1000 + at), occurredAt: noon };
  return [line(`${at}-a`, of), line(`${at}-b`, { ...of, kind: 'FEE', amount: '-37.5' })];
}
