import type { ListedPayment, ListedRefund } from '@switchyard/gateways';
import { dayOf } from '../days.ts';
import type { FoundDiscrepancy, Ledger, LedgerPayment, LedgerRefund, Statement } from '../ledger.ts';

/* Both sides of a day, each entry by its number: the same number is the same entry. */

export const day = dayOf('2026-11-20', 'Africa/Lagos');
const noon = new Date('2026-11-20T11:00:00.000Z');
const nowhere: ReadonlySet<string> = new Set();

export function statementPayment(at: number, changes: Partial<ListedPayment> = {}): ListedPayment {
  return {
    reference: `sw-${at}`,
    transactionId: String(1000 + at),
    status: 'paid',
    amount: '2500',
    fee: '37.5',
    currency: 'NGN',
    method: 'CARD',
    createdAt: noon,
    paidAt: noon,
    ...changes,
  };
}

export function ledgerPayment(at: number, changes: Partial<LedgerPayment> = {}): LedgerPayment {
  return {
    paymentId: `payment-${at}`,
    attemptId: `attempt-${at}`,
    merchantOrderId: `order-${at}`,
    reference: `sw-${at}`,
    transactionId: String(1000 + at),
    paid: true,
    amount: '2500',
    currency: 'NGN',
    status: 'SUCCESS',
    underReview: false,
    refunded: '0',
    reversed: '0',
    lacksFee: false,
    createdAt: noon,
    paidAt: noon,
    ...changes,
  };
}

export function statementRefund(at: number, changes: Partial<ListedRefund> = {}): ListedRefund {
  return {
    gatewayRefundId: String(500 + at),
    paymentReference: null,
    transactionId: String(1000 + at),
    amount: '400',
    currency: 'NGN',
    state: 'succeeded',
    note: `rf-${at} Item out of stock`,
    createdAt: noon,
    ...changes,
  };
}

export function ledgerRefund(at: number, changes: Partial<LedgerRefund> = {}): LedgerRefund {
  return {
    refundId: `refund-${at}`,
    paymentId: `payment-${at}`,
    reference: `rf-${at}`,
    gatewayRefundId: String(500 + at),
    amount: '400',
    currency: 'NGN',
    state: 'SUCCEEDED',
    createdAt: noon,
    ...changes,
  };
}

export const statementOf = (payments: readonly ListedPayment[], refunds: readonly ListedRefund[] = []): Statement => ({
  payments,
  refunds,
  elsewhere: nowhere,
});
export const ledgerOf = (payments: readonly LedgerPayment[], refunds: readonly LedgerRefund[] = []): Ledger => ({
  payments,
  refunds,
  duplicates: [],
});
export const kinds = (discrepancies: readonly FoundDiscrepancy[]) =>
  discrepancies.map(({ kind, subject }) => `${kind} ${subject}`).sort();
