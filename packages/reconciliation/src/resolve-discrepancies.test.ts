import { describe, expect, it } from 'vitest';
import type { FoundDiscrepancy } from './ledger.ts';
import { RECONCILIATION_ACTOR, resolveDiscrepancies, type StoredDiscrepancy } from './resolve-discrepancies.ts';

const found: FoundDiscrepancy = {
  kind: 'AMOUNT',
  about: 'payment',
  subject: 'transaction/1',
  paymentId: 'p',
  refundId: null,
  reference: 'sw-1',
  transactionId: '1',
  ledger: { amount: '2500' },
  statement: { amount: '2400', fee: null },
  counted: { ledger: null, statement: null },
};
const stored: StoredDiscrepancy = {
  id: 'd',
  kind: 'AMOUNT',
  subject: 'transaction/1',
  state: 'OPEN',
  resolvedBy: null,
  ledger: { amount: '2500' },
  statement: { fee: null, amount: '2400' },
};
const settled = { ...stored, state: 'EXPLAINED', resolvedBy: 'staff:ada' } as const;
const nothing = { added: [], changed: [], reopened: [], gone: [] };

describe('a difference found again', () => {
  it('is new the first time, and nothing happens the second', () => {
    expect(resolveDiscrepancies([], [found])).toEqual({ ...nothing, added: [found] });
    expect(resolveDiscrepancies([stored], [found])).toEqual(nothing);
  });

  it('keeps what a person settled, whatever the order of its fields, and when only a fee has become known', () => {
    expect(resolveDiscrepancies([settled], [found])).toEqual(nothing);
    expect(resolveDiscrepancies([settled], [{ ...found, statement: { amount: '2400', fee: '12' } }])).toEqual(nothing);
  });

  it('is open again when the facts are others than those settled', () => {
    const other = { ...found, statement: { amount: '2300' } };
    expect(resolveDiscrepancies([settled], [other])).toEqual({
      ...nothing,
      reopened: [{ stored: settled, found: other, same: false }],
    });
    expect(resolveDiscrepancies([stored], [other])).toEqual({ ...nothing, changed: [{ stored, found: other, same: false }] });
  });

  it('is over when it is no longer there, and open again when it comes back', () => {
    expect(resolveDiscrepancies([stored], [])).toEqual({ ...nothing, gone: [stored] });
    const over = { ...stored, state: 'RESOLVED', resolvedBy: RECONCILIATION_ACTOR } as const;
    expect(resolveDiscrepancies([over], [])).toEqual(nothing);
    expect(resolveDiscrepancies([over], [found])).toMatchObject({ ...nothing, reopened: [{ stored: over }] });
  });

  it('that a person settled and that is gone stays settled by that person', () => {
    expect(resolveDiscrepancies([settled], [])).toEqual(nothing);
  });
});
