import { formatMoney, subtractDecimals } from '../format/amounts.ts';
import { formatDay } from '../format/calendar.ts';
import type { RouterOutputs } from '../trpc/outputs.ts';
import type { Tone } from './payment-status.ts';

/** A payout of a gateway, as the server lists it. */
export type Settlement = RouterOutputs['settlements']['list']['items'][number];

/** One settlement with its lines added up by kind. */
export type WholeSettlement = RouterOutputs['settlements']['byId'];

/** One amount in a settlement. */
export type SettlementLine = RouterOutputs['settlements']['lines']['items'][number];

/** A difference between the money expected of a gateway and the money it settled. */
export type SettlementDiscrepancy = RouterOutputs['settlements']['discrepancies']['list']['items'][number];

/** An account with how its settlements come and when its money is expected. */
export type SettlementAccount = RouterOutputs['settlements']['accounts'][number];

/** The states of settlements, in the order in which filters list them. */
export const SETTLEMENT_STATES = ['PAID', 'PENDING', 'FAILED', 'WITHDRAWN'] as const;

/** The state of a settlement. */
export const SETTLEMENT_LABELS: Record<Settlement['status'], { readonly word: string; readonly tone: Tone }> = {
  PAID: { word: 'Paid', tone: 'good' },
  PENDING: { word: 'Pending', tone: 'wait' },
  FAILED: { word: 'Failed', tone: 'bad' },
  WITHDRAWN: { word: 'Withdrawn', tone: 'over' },
};

/** A change of a settlement that a person made. */
export type PayoutChange = RouterOutputs['settlements']['changes'][number];

/** Changes that people make to a settlement. */
export const PAYOUT_CHANGES: Record<PayoutChange['action'], string> = {
  replaced: 'Replaced by a file',
  extended: 'Lines added by a file',
  reduced: 'Lines withdrawn',
  withdrawn: 'Withdrawn',
};

/** Kinds of lines, in the order in which a settlement is added up. */
export const LINE_KINDS = ['PAYMENT', 'FEE', 'REFUND', 'CHARGEBACK', 'ADJUSTMENT', 'OTHER', 'RESIDUE'] as const;

export type LineKind = SettlementLine['kind'];

/** Kinds of lines: one of them, several, and their meaning. */
export const LINE_LABELS: Record<LineKind, { readonly word: string; readonly many: string; readonly meaning: string }> = {
  PAYMENT: { word: 'Payment', many: 'Payments', meaning: 'A payment, or a part of one, before its fee.' },
  FEE: { word: 'Fee', many: 'Fees', meaning: 'What the gateway took for a payment.' },
  REFUND: { word: 'Refund', many: 'Refunds', meaning: 'Money that went back to customers.' },
  CHARGEBACK: { word: 'Chargeback', many: 'Chargebacks', meaning: 'Money that was lost in disputes.' },
  ADJUSTMENT: { word: 'Deduction', many: 'Deductions', meaning: 'Taken off the settlement as a whole.' },
  OTHER: { word: 'Other', many: 'Other', meaning: 'What fits no other kind, such as stamp duty.' },
  RESIDUE: {
    word: 'Residue',
    many: 'Residue',
    meaning: 'The difference between the net amount and the other lines, which the gateway does not explain.',
  },
};

/** The kinds of discrepancies, in the order in which filters list them. */
export const SETTLEMENT_DISCREPANCY_KINDS = ['MISSING', 'LATE', 'UNDER', 'OVER', 'OVERCHARGED', 'UNMATCHED'] as const;

export type SettlementDiscrepancyKind = SettlementDiscrepancy['kind'];

/** Kinds of discrepancies: a label and its meaning. */
export const SETTLEMENT_DISCREPANCY_LABELS: Record<
  SettlementDiscrepancyKind,
  { readonly word: string; readonly meaning: string }
> = {
  MISSING: { word: 'Missing', meaning: 'It should have been settled, and the days of grace are over.' },
  LATE: { word: 'Late', meaning: 'It should have been settled by now.' },
  UNDER: { word: 'Less than expected', meaning: 'Less was settled than the payment less its fee.' },
  OVER: { word: 'More than expected', meaning: 'More was settled than the payment less its fee.' },
  OVERCHARGED: { word: 'Overcharged', meaning: 'The fee is higher than the contract says.' },
  UNMATCHED: { word: 'Not matched', meaning: 'The settlement has an amount that no payment, refund or dispute explains.' },
};

/** Money that a line can be matched with. */
export type LinkableEntry = RouterOutputs['settlements']['linkable'][number];

/** Kinds of money that a line can be matched with. */
export const ENTRY_LABELS: Record<LinkableEntry['kind'], string> = {
  payment: 'Payment',
  duplicate: 'Duplicate charge',
  refund: 'Refund',
  reversal: 'Reversal',
  dispute: 'Dispute',
};

export type IgnoreRule = RouterOutputs['settlements']['rules']['list'][number];

/** By what a line was matched. */
export const LINKED_BY: Record<NonNullable<SettlementLine['linkedBy']>, string> = {
  REFERENCE: 'By reference',
  TRANSACTION: 'By transaction id',
  AMOUNT_AND_TIME: 'By amount and time',
  STAFF: 'By staff',
};

/** How settlements of an account become known. */
export const ROADS: Record<SettlementAccount['road'], { readonly word: string; readonly meaning: string }> = {
  POLLED: { word: 'Gateway’s list', meaning: 'The gateway lists its settlements, which is read by itself.' },
  WEBHOOK: {
    word: 'Webhooks',
    meaning: 'The gateway announces each settlement, and is then asked what is in it. What is due and not announced is late.',
  },
  FILE: { word: 'Files', meaning: 'The gateway documents no list of settlements: import the files of its dashboard.' },
};

/** The outcome that a file of settlements would have. */
export type SettlementFilePreview = RouterOutputs['settlements']['files']['preview'];

export type FilePayout = SettlementFilePreview['settlements'][number];

/** The choice for a payout that is stored otherwise. */
export type FileCorrection = NonNullable<FilePayout['correction']>;

/** The choices for a payout that is stored otherwise. */
export const CORRECTIONS: Record<FileCorrection, string> = { keep: 'Keep', replace: 'Replace', add: 'Add' };

/** How a payout of a file differs from what is stored. */
export const DIFFERENCES: Record<NonNullable<FilePayout['difference']>['parts'][number], string> = {
  day: 'day of payout',
  currency: 'currency',
  net: 'net amount',
  lines: 'lines',
  details: 'times or descriptions',
};

/** A file beside the ledger. */
export type LedgerFinding = SettlementFilePreview['ledger'][number];

/** The result of comparing a file with the ledger, in a sentence. */
export function describeLedgerFinding(finding: LedgerFinding): string {
  switch (finding.kind) {
    case 'references':
      return `${countOf(finding.known, finding.of)} references are known in this account.`;
    case 'other_account': {
      const mode = finding.mode === 'test' ? ' in test mode' : '';
      const are = finding.count === 1 ? '1 is a payment' : `${finding.count.toLocaleString('en')} are payments`;
      return `${are} of another account: ${finding.accountLabel}, ${finding.gatewayTitle}${mode}.`;
    }
    case 'amounts_scaled': {
      const factor = finding.factor === '100' ? '100 times those' : 'a hundredth of those';
      return `${countOf(finding.count, finding.of)} amounts are ${factor} of the payments: check whether amounts are in main units.`;
    }
    case 'amounts_differ':
      return `${countOf(finding.count, finding.of)} amounts are not those of the payments.`;
    case 'other_currency':
      return `${countLines(finding.count)} in ${finding.currency} of payments in ${finding.expected}.`;
    case 'settled_already': {
      const sums = finding.sums.map(({ currency, amount }) => formatMoney(currency, amount)).join(', ');
      const payments = finding.count === 1 ? '1 payment' : `${finding.count.toLocaleString('en')} payments`;
      return `${payments}, ${sums}, settled already by ${finding.payouts.join(', ')}.`;
    }
    case 'paid_afterwards':
      return `${finding.count === 1 ? '1 payment was' : `${finding.count.toLocaleString('en')} payments were`} made after the day of the payout.`;
    default:
      return finding satisfies never;
  }
}

function countOf(count: number, of: number): string {
  return `${count.toLocaleString('en')} of ${of.toLocaleString('en')}`;
}

/** Meanings of the columns of a file of settlements. */
export type FileField = keyof Extract<
  RouterOutputs['settlements']['files']['inspect'],
  { kind: 'columns' }
>['mapping']['columns'];

/** The meaning of columns in the order in which they are asked for. */
export const FILE_FIELDS: readonly { readonly field: FileField; readonly label: string; readonly description?: string }[] = [
  { field: 'amount', label: 'Amount', description: 'Of the payment or refund, before its fee.' },
  { field: 'direction', label: 'Debit or credit', description: 'Says which way an amount without a sign went.' },
  { field: 'fee', label: 'Fee' },
  { field: 'net', label: 'Net amount', description: 'What its amount and fee do not explain is shown as residue.' },
  { field: 'reference', label: 'Payment reference', description: 'Ours: payments are matched by it.' },
  { field: 'transactionId', label: 'Transaction id', description: 'The gateway’s own.' },
  { field: 'occurredAt', label: 'Time of payment' },
  { field: 'settlement', label: 'Payout reference', description: 'Without it, each day is one payout.' },
  { field: 'settledOn', label: 'Day of payout' },
  { field: 'kind', label: 'Type', description: 'Without it, negative amounts are refunds.' },
  { field: 'currency', label: 'Currency' },
  { field: 'description', label: 'Description' },
];

/** Results of a payout of a file. */
export const FILE_STATES: Record<
  SettlementFilePreview['settlements'][number]['state'],
  { readonly word: string; readonly tone: Tone }
> = {
  new: { word: 'New', tone: 'good' },
  known: { word: 'Already imported', tone: 'over' },
  differs: { word: 'Differs', tone: 'bad' },
};

/** How the bank has a payout. */
export const ARRIVALS: Record<
  RouterOutputs['settlements']['bank']['read']['payouts'][number]['state'],
  { readonly word: string; readonly tone: Tone; readonly meaning: string }
> = {
  arrived: { word: 'Arrived', tone: 'good', meaning: 'All of it reached the bank.' },
  short: { word: 'Short', tone: 'bad', meaning: 'Less reached the bank than was paid out, and the days of the rest are over.' },
  over: { word: 'Over', tone: 'bad', meaning: 'More reached the bank than was paid out.' },
  on_the_way: {
    word: 'On the way',
    tone: 'wait',
    meaning: 'It, or the rest of it, may still come: banks take two working days at most.',
  },
  missing: {
    word: 'Missing',
    tone: 'bad',
    meaning: 'Statements cover its day and the days that a bank takes, and it is not on them.',
  },
  not_covered: {
    word: 'No statement',
    tone: 'over',
    meaning: 'It, or the rest of it, may be on a day, or at a bank, that no statement covers.',
  },
  nothing_due: { word: 'Nothing due', tone: 'over', meaning: 'Its net amount is 0: nothing was paid out.' },
};

/** A line of the bank that is of a payout. */
export type MatchedBankLine = RouterOutputs['settlements']['bank']['linesOf'][number];

/** A line of the bank that names a gateway and is of no payout. */
export type OpenBankLine = RouterOutputs['settlements']['bank']['read']['unmatched'][number];

/** By what a line of the bank was matched with a payout. */
export const BANK_MATCHED_BY: Record<MatchedBankLine['by'], string> = {
  staff: 'By staff',
  reference: 'By reference',
  amount_and_date: 'By amount and day',
};

/** A share from 0 to 1 as a percentage, never rounded up to 100: `99.9%`, or a dash without one. */
export function describeExplained(share: string | null): string {
  if (share === null) return '–';
  const tenths = Math.floor(Number(share) * 1_000);
  return tenths === 1_000 ? '100%' : `${(tenths / 10).toFixed(1)}%`;
}

/** How often lines could not be matched: `1 line`, `3 lines`. */
export function countLines(count: number): string {
  return `${count.toLocaleString('en')} ${count === 1 ? 'line' : 'lines'}`;
}

/** Words for sums of lines within a sentence; payments are the sales. */
const SUM_WORDS: Record<Exclude<LineKind, 'PAYMENT'>, string> = {
  FEE: 'fees',
  REFUND: 'refunds',
  CHARGEBACK: 'chargebacks',
  ADJUSTMENT: 'deductions',
  OTHER: 'other amounts',
  RESIDUE: 'an amount that the gateway does not explain',
};

/** Why a settlement differs from its sales, in one sentence; null where it has no lines. */
export function describeNet({ currency, net, totals }: Pick<WholeSettlement, 'currency' | 'net' | 'totals'>): string | null {
  const sales = totals.find(({ kind }) => kind === 'PAYMENT')?.amount ?? '0';
  const parts = LINE_KINDS.flatMap((kind) => {
    const amount = totals.find((total) => total.kind === kind)?.amount ?? '0';
    return kind === 'PAYMENT' || amount === '0' ? [] : [{ words: SUM_WORDS[kind], amount }];
  });
  if (totals.length === 0) return null;
  const money = (amount: string) => formatMoney(currency, amount.replace('-', ''));
  const listOf = (own: typeof parts) => own.map(({ words, amount }) => `${money(amount)} of ${words}`).join(', ');
  const less = parts.filter(({ amount }) => amount.startsWith('-'));
  const more = parts.filter(({ amount }) => !amount.startsWith('-'));
  const clauses = [
    `${money(sales)} of sales`,
    ...(less.length > 0 ? [`less ${listOf(less)}`] : []),
    ...(more.length > 0 ? [`plus ${listOf(more)}`] : []),
  ];
  return `${clauses.join(', ')}: ${formatMoney(currency, net)} net.`;
}

/**
 * Payments that the account took on the days of a settlement, and how much of it the settlement does not have; null where the days are not known or
 * it has no payments.
 */
export function describeSales({
  currency,
  totals,
  sales,
}: Pick<WholeSettlement, 'currency' | 'totals' | 'sales'>): string | null {
  const settled = totals.find(({ kind }) => kind === 'PAYMENT')?.amount;
  if (sales === null || settled === undefined) return null;
  const { from, to, count, amount } = sales;
  const days = from === to ? `On ${formatDay(from)}` : `From ${formatDay(from)} to ${formatDay(to)}`;
  const took = `${days} the account took ${formatMoney(currency, amount)} in ${count.toLocaleString('en')} ${count === 1 ? 'payment' : 'payments'}`;
  const rest = subtractDecimals(amount, settled);
  if (rest === '0') return `${took}: all of it is in this settlement.`;
  if (rest.startsWith('-')) {
    return `${took}; ${formatMoney(currency, rest.slice(1))} more is settled, of other days or of payments that are not in the ledger.`;
  }
  return `${took}; ${formatMoney(currency, rest)} of it is in other payouts or still to come.`;
}
