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
const explained = { ...stored, state: 'EXPLAINED', resolvedBy: 'staff:ada' } as const;
const nothing = { added: [], changed: [], reopened: [], resolved: [] };

describe('a discrepancy found again', () => {
  it('is new the first time, and unchanged the second', () => {
    expect(resolveDiscrepancies([], [found])).toEqual({ ...nothing, added: [found] });
    expect(resolveDiscrepancies([stored], [found])).toEqual(nothing);
  });

  it('keeps the resolution of staff, for any order of its fields, and when only a fee has become known', () => {
    expect(resolveDiscrepancies([explained], [found])).toEqual(nothing);
    expect(resolveDiscrepancies([explained], [{ ...found, statement: { amount: '2400', fee: '12' } }])).toEqual(nothing);
  });

  it('is reopened when the facts differ from those resolved', () => {
    const other = { ...found, statement: { amount: '2300' } };
    expect(resolveDiscrepancies([explained], [other])).toEqual({
      ...nothing,
      reopened: [{ stored: explained, found: other, same: false }],
    });
    expect(resolveDiscrepancies([stored], [other])).toEqual({ ...nothing, changed: [{ stored, found: other, same: false }] });
  });

  it('is resolved when it is no longer found, and reopened when it is found again', () => {
    expect(resolveDiscrepancies([stored], [])).toEqual({ ...nothing, resolved: [stored] });
    const over = { ...stored, state: 'RESOLVED', resolvedBy: RECONCILIATION_ACTOR } as const;
    expect(resolveDiscrepancies([over], [])).toEqual(nothing);
    expect(resolveDiscrepancies([over], [found])).toMatchObject({ ...nothing, reopened: [{ stored: over }] });
  });

  it('that staff resolved stays resolved by them when it is no longer found', () => {
    expect(resolveDiscrepancies([explained], [])).toEqual(nothing);
  });
});
