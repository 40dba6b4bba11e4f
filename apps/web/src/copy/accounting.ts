import { POSTING_NAMES, type Posting } from '@switchyard/api/entered-fields';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** How a merchant's books are kept. */
export type AccountingSetting = RouterOutputs['journal']['setting'];

/** An account of a merchant's books. */
export type BookAccount = AccountingSetting['mapping']['postings']['sales'];

/** The debits and credits of a period in one currency. */
export type JournalSummary = RouterOutputs['journal']['summary'][number];

/** What is posted to each account. */
export const POSTING_MEANINGS: Readonly<Record<Posting, string>> = {
  sales: 'What customers paid, before fees.',
  refunds: 'What went back to customers.',
  fees: 'What gateways charged, with the VAT on it.',
  stamp_duty: 'Stamp duty that payouts have apart from fees.',
  chargebacks: 'Disputes that were lost, and what a gateway took back.',
  adjustments: 'Amounts in payouts that nothing explains, and what the bank had more or less.',
  bank: 'Payouts of the gateways.',
};

/** The name of an account that is posted to. */
export function describePosting(to: JournalSummary['accounts'][number]['to'], labelOf: (accountId: string) => string): string {
  return to.posting === 'clearing' ? `Clearing of ${labelOf(to.accountId)}` : POSTING_NAMES[to.posting];
}
