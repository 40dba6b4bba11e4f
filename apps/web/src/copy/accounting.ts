import { type BookAccountName, POSTING_NAMES } from '@switchyard/api/entered-fields';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { Tone } from './payment-status.ts';
import { LINE_LABELS, SETTLEMENT_DISCREPANCY_LABELS } from './settlements.ts';

/** How a merchant's books are kept. */
export type AccountingSetting = RouterOutputs['journal']['setting'];

/** An account of a merchant's books. */
export type BookAccount = AccountingSetting['mapping']['postings']['sales'];

/** The debits and credits of a period in one currency. */
export type JournalSummary = RouterOutputs['journal']['summary'][number];

/** Postings to each account, in words. */
export const POSTING_MEANINGS: Readonly<Record<BookAccountName, string>> = {
  sales: 'What customers paid, before fees.',
  refunds: 'What went back to customers.',
  fees: 'What gateways charged, with the VAT on it.',
  stamp_duty: 'Stamp duty that payouts have apart from fees.',
  chargebacks: 'Disputes that were lost, and what a gateway took back.',
  adjustments: 'Amounts in payouts that nothing explains, and what the bank had more or less.',
  bank: 'Payouts of the gateways.',
  bank_clearing: 'Payouts in Xero, which takes no journal on a bank account: book the line of the bank statement from it.',
};

/** The name of an account that is posted to. */
export function describePosting(to: JournalSummary['accounts'][number]['to'], labelOf: (accountId: string) => string): string {
  return to.posting === 'clearing' ? `Clearing of ${labelOf(to.accountId)}` : POSTING_NAMES[to.posting];
}

/** A month in the list. */
export type MonthItem = RouterOutputs['monthClose']['list'][number];

/** A month as it stands. */
export type Month = RouterOutputs['monthClose']['read'];

/** Figures of what a gateway account held and what changed it. */
export type AccountBalance = Month['figures']['accounts'][number];

export const MONTH_STATES: Readonly<
  Record<Month['state'], { readonly word: string; readonly tone: Tone | null; readonly meaning: string }>
> = {
  open: { word: 'Open', tone: null, meaning: 'It has not ended.' },
  ended: { word: 'To close', tone: 'wait', meaning: 'It has ended, and its figures are not frozen yet.' },
  closed: { word: 'Closed', tone: 'wait', meaning: 'Its figures are frozen. It is not signed off.' },
  signed: { word: 'Signed off', tone: 'good', meaning: 'Its figures are frozen and signed off.' },
};

/** Kinds of figures, in the order in which a balance is added up. */
export const FIGURES = [
  'payment',
  'duplicate',
  'fee',
  'stamp_duty',
  'refund',
  'dispute',
  'reversal',
  'adjustment',
  'payout',
] as const satisfies readonly (keyof AccountBalance['figures'])[];

/** A kind of amounts of a month: its word and its meaning. */
export const FIGURE_LABELS: Readonly<
  Record<(typeof FIGURES)[number] | 'bank' | 'bank_difference', { readonly word: string; readonly meaning: string }>
> = {
  payment: { word: 'Payments', meaning: 'What customers paid, by when they paid.' },
  duplicate: { word: 'Duplicate charges', meaning: 'What came twice for one payment.' },
  fee: { word: 'Fees', meaning: 'As payouts took them off, and until then as the gateway reported them.' },
  stamp_duty: { word: 'Stamp duty', meaning: 'As payouts have it apart from fees.' },
  refund: { word: 'Refunds', meaning: 'Those that succeeded, by when.' },
  dispute: { word: 'Disputes lost', meaning: 'Lost, accepted or without a response in time, by when they were closed.' },
  reversal: { word: 'Reversals', meaning: 'What the gateway took back by itself.' },
  adjustment: { word: 'Adjustments', meaning: 'Lines of payouts that no payment, refund or dispute explains.' },
  payout: { word: 'Paid out', meaning: 'By the day that the gateway gives the payout.' },
  bank: { word: 'Reached the bank', meaning: 'By the day on which the bank booked it.' },
  bank_difference: { word: 'Difference at the bank', meaning: 'What the bank had less or more than was paid out.' },
};

/** Sorts of what a month leaves unexplained, in order. */
export const OPEN_SORTS = [
  {
    sort: 'unsettledPayments',
    title: 'Payments not settled',
    about: 'Paid in this month and in no payout. Those of its last days are usually on the way.',
  },
  { sort: 'payoutsNotAtBank', title: 'Payouts not at the bank', about: 'Paid out in this month, and on no bank statement.' },
  {
    sort: 'unmatchedLines',
    title: 'Unmatched lines',
    about: 'Amounts in payouts, up to the end of the month, that nothing explains.',
  },
  { sort: 'discrepancies', title: 'Open discrepancies', about: 'Found up to the end of the month and not closed.' },
] as const satisfies readonly { sort: keyof Month['figures']['unexplained']; title: string; about: string }[];

/** Subject of an item, in words: the server has the code of a line or a discrepancy. */
export function describeOpenItem(sort: (typeof OPEN_SORTS)[number]['sort'], about: string): string {
  const words = sort === 'unmatchedLines' ? LINE_LABELS : sort === 'discrepancies' ? SETTLEMENT_DISCREPANCY_LABELS : {};
  return new Map<string, { readonly word: string }>(Object.entries(words)).get(about)?.word ?? about;
}
