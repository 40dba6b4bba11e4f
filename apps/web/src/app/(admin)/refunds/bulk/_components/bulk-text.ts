import { STATUS_LABELS, type Tone } from '#/copy/payment-status.ts';
import { APPROVAL_LABELS, type ApprovalState, REFUND_LABELS, type RefundState } from '#/copy/refunds.ts';
import { formatMoney } from '#/format/amounts.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** The preview of a file. */
export type BulkPreview = Extract<RouterOutputs['refunds']['bulk']['preview'], { kind: 'preview' }>;

/** A line of a file with what becomes of it. */
export type BulkLine = BulkPreview['lines'][number];

/** The outcome of a line as people read it: one word, and why. */
export interface FateText {
  readonly word: string;
  readonly tone: Tone;
  readonly why: string;
}

const LABELS: Readonly<Record<RefundState | ApprovalState, { readonly word: string }>> = { ...APPROVAL_LABELS, ...REFUND_LABELS };

/** The outcome of a line, in words. */
export function describeFate({ fate, currency }: BulkLine): FateText {
  const money = (amount: bigint) => (currency === null ? String(amount) : formatMoney(currency, amount));
  const refused = (why: string): FateText => ({ word: 'Refused', tone: 'bad', why });
  switch (fate.kind) {
    case 'refund':
      return { word: 'Refund', tone: 'good', why: `${money(fate.amount)} is returned to the customer.` };
    case 'needs_approval':
      return { word: 'Second person', tone: 'wait', why: `${money(fate.amount)} waits for another person’s approval.` };
    case 'known':
      return { word: 'Skipped', tone: 'over', why: `The same line came before: ${LABELS[fate.state].word.toLowerCase()}.` };
    case 'repeated':
      return { word: 'Skipped', tone: 'over', why: `The same as line ${fate.line}.` };
    case 'unreadable':
      return { word: 'Invalid', tone: 'bad', why: `${fate.column} ${fate.message}.` };
    case 'not_found':
      return refused('No payment of this merchant and mode has this id or order id.');
    case 'not_paid':
      return refused(`Only what was paid can be refunded; the payment is ${STATUS_LABELS[fate.status].word.toLowerCase()}.`);
    case 'too_much':
      return refused(
        fate.refundable === 0n ? 'Nothing of the payment is left to refund.' : `Only ${money(fate.refundable)} is left.`,
      );
    case 'needs_reason_code':
      return refused('reason_code must be one of the merchant’s reason codes.');
    case 'over_daily_limit':
      return refused(`Your daily limit of ${money(fate.limit)} leaves ${fate.left === 0n ? 'nothing' : money(fate.left)}.`);
    default:
      return fate satisfies never;
  }
}

/** Sums of a preview: how many payments are refunded with how much, and how many lines come to what else. */
export interface BulkTotals {
  readonly payments: number;
  /** By currency. */
  readonly refunded: readonly string[];
  readonly approvals: number;
  readonly waiting: readonly string[];
  readonly leftOut: number;
  readonly refused: number;
}

/** Adds a preview up. */
export function totalsOf({ lines }: BulkPreview): BulkTotals {
  const of = (kind: 'refund' | 'needs_approval') => lines.filter(({ fate }) => fate.kind === kind);
  const leftOut = lines.filter(({ fate }) => fate.kind === 'known' || fate.kind === 'repeated').length;
  const [refunds, approvals] = [of('refund'), of('needs_approval')];
  return {
    payments: new Set(refunds.map(({ paymentId }) => paymentId)).size,
    refunded: sumsOf(refunds),
    approvals: approvals.length,
    waiting: sumsOf(approvals),
    leftOut,
    refused: lines.length - refunds.length - approvals.length - leftOut,
  };
}

function sumsOf(lines: readonly BulkLine[]): string[] {
  const sums = new Map<string, bigint>();
  for (const { currency, fate } of lines) {
    if (currency !== null && 'amount' in fate) sums.set(currency, (sums.get(currency) ?? 0n) + fate.amount);
  }
  return [...sums].map(([currency, sum]) => formatMoney(currency, sum));
}

/** The button that does what a preview says: `Refund 12 payments`. */
export function actionOf({ payments, approvals }: BulkTotals): string {
  const refund = `Refund ${counted(payments, 'payment')}`;
  if (approvals === 0) return refund;
  const ask = `equest approval of ${counted(approvals, 'refund')}`;
  return payments === 0 ? `R${ask}` : `${refund} and r${ask}`;
}

/** `1 payment`, `2 payments` */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : `${noun}s`}`;
}
