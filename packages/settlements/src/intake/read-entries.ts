import type { Database } from '@switchyard/db';
import type { DisputeState, RefundState } from '@switchyard/db/client';
import { compareDecimals, sameDecimal } from '@switchyard/db/decimals';
import { calendarDay } from '@switchyard/runtime/calendar-days';
import { contractAt, type FeeContract } from '@switchyard/runtime/fee-contracts';
import { addWorkingDays, type Calendar, SETTLEMENT_ZONE } from '../calendar.ts';
import type { AccountKey } from '../context.ts';
import { hasStampDuty } from '../fees/audit-fees.ts';
import {
  type DisputeRow,
  type DuplicateRow,
  type ReceivedRow,
  type RefundRow,
  readDisputes,
  readDuplicates,
  readReceived,
  readRefunds,
} from '../ledger/ledger-queries.ts';
import type { LedgerEntry } from '../matching/entries.ts';
import { daysOfDue, type KnownDays } from './known-days.ts';

/** When an account's money is expected. */
export interface Expectation extends Pick<Calendar, 'workingDays' | 'holidays'> {
  /** True where the gateway pays refunds from the merchant's wallet: they are compared, and not awaited. */
  readonly refundsFromWallet: boolean;
  /** Days of which all payouts are known. What was due on others is not awaited. */
  readonly known: readonly KnownDays[];
  /** Contracts of the account: where one prices a payment, its fee is compared with that. */
  readonly contracts: readonly FeeContract[];
}

/** Money of these payments that a gateway settles. */
export async function readEntries(
  database: Database,
  key: AccountKey,
  paymentIds: readonly string[],
  expectation: Expectation,
): Promise<LedgerEntry[]> {
  if (paymentIds.length === 0) return [];
  const [received, duplicates, refunds, disputes] = await Promise.all([
    readReceived(database, key, paymentIds),
    readDuplicates(database, key, paymentIds),
    readRefunds(database, key, paymentIds),
    readDisputes(database, key, paymentIds),
  ]);
  const referenceOf = new Map(received.map(({ attemptId, reference }) => [attemptId, reference]));
  const expect = createExpecter(expectation);
  const expectDeduction = afterFirstDay(expect, expectation.known);
  const priced = ({ paidAt }: ReceivedRow) => auditedBy(contractAt(expectation.contracts, key.accountId, paidAt));
  return [
    ...received.filter(({ duplicate }) => !duplicate).flatMap((row) => paymentEntries(row, expect, priced(row))),
    ...duplicates.map((row) => duplicateEntry(row, expect)),
    ...refunds.map((row) => refundEntry(row, referenceOf, expectation.refundsFromWallet ? () => NOT_AWAITED : expectDeduction)),
    ...disputes.map((row) => disputeEntry(row, referenceOf, expectDeduction)),
  ];
}

/** When money of a moment is expected. */
type Due = Pick<LedgerEntry, 'expectedOn' | 'dueOn'>;
type Expecter = (moment: Date) => Due;

const NOT_AWAITED: Due = { expectedOn: null };

function createExpecter({ workingDays, holidays, known }: Expectation): Expecter {
  const dueOf = new Map<string, string>();
  return (moment) => {
    const day = calendarDay(moment, SETTLEMENT_ZONE);
    const dueOn = dueOf.get(day) ?? addWorkingDays(day, workingDays, holidays);
    dueOf.set(day, dueOn);
    return daysOfDue(known, dueOn) === null ? { expectedOn: null, dueOn } : { expectedOn: dueOn };
  };
}

/** A refund or a lost dispute is taken off the next payout, however soon: what came before the first known day may stand in one that is not known. */
function afterFirstDay(expect: Expecter, known: readonly KnownDays[]): Expecter {
  return (moment) => {
    const { expectedOn } = expect(moment);
    const days = expectedOn === null ? null : daysOfDue(known, expectedOn);
    return days === null || calendarDay(moment, SETTLEMENT_ZONE) < days.from ? NOT_AWAITED : { expectedOn };
  };
}

function auditedBy(contract: FeeContract | null): Pick<LedgerEntry, 'audited'> {
  if (contract === null || contract.schedule === null) return {};
  return { audited: hasStampDuty(contract.schedule) ? 'fee_and_duty' : 'fee' };
}

function paymentEntries(row: ReceivedRow, expect: Expecter, audited: Pick<LedgerEntry, 'audited'>): LedgerEntry[] {
  const isReversed = compareDecimals(row.reversed, '0') > 0;
  const money = {
    paymentId: row.paymentId,
    refundId: null,
    disputeId: null,
    references: [row.reference],
    transactionIds: namesOf(row.transactionId),
    currency: row.currency,
    stance: 'due' as const,
  };
  const payment: LedgerEntry = {
    ...money,
    ...audited,
    subject: `payment/${row.paymentId}`,
    kind: 'payment',
    amount: row.amount,
    fee: row.fee,
    occurredAt: row.paidAt,
    // Money that the gateway took back by itself may never have been settled.
    ...(isReversed ? NOT_AWAITED : expect(row.paidAt)),
  };
  if (!isReversed) return [payment];
  const reversal: LedgerEntry = {
    ...money,
    subject: `reversal/${row.paymentId}`,
    kind: 'reversal',
    amount: `-${row.reversed}`,
    fee: '0',
    occurredAt: row.reversedAt ?? row.paidAt,
    expectedOn: null,
  };
  return [payment, reversal];
}

function duplicateEntry(row: DuplicateRow, expect: Expecter): LedgerEntry {
  const { id, paymentId, reference, transactionId, amount, currency, createdAt } = row;
  return {
    subject: `duplicate/${id}`,
    kind: 'duplicate',
    paymentId,
    refundId: null,
    disputeId: null,
    references: [reference],
    transactionIds: [transactionId],
    currency,
    amount,
    fee: null,
    stance: 'due',
    occurredAt: createdAt,
    ...expect(createdAt),
  };
}

const REFUND_STANCES: Readonly<Record<RefundState, LedgerEntry['stance']>> = {
  REQUESTED: 'open',
  PROCESSING: 'open',
  SUCCEEDED: 'due',
  FAILED: 'void',
  NEEDS_ATTENTION: 'open',
};

function refundEntry(row: RefundRow, referenceOf: ReadonlyMap<string, string>, expect: Expecter): LedgerEntry {
  const { id, paymentId, attemptId, reference, gatewayRefundId, transactionId, amount, currency, state, at } = row;
  return {
    subject: `refund/${id}`,
    kind: 'refund',
    paymentId,
    refundId: id,
    disputeId: null,
    references: [reference, ...namesOf(gatewayRefundId), ...namesOf(referenceOf.get(attemptId))],
    transactionIds: [transactionId, ...namesOf(gatewayRefundId)],
    currency,
    amount: `-${amount}`,
    fee: '0',
    stance: REFUND_STANCES[state],
    occurredAt: at,
    ...expect(at),
  };
}

const DISPUTE_STANCES: Readonly<Record<DisputeState, LedgerEntry['stance']>> = {
  NEEDS_RESPONSE: 'open',
  UNDER_REVIEW: 'open',
  WON: 'void',
  LOST: 'due',
  ACCEPTED: 'due',
  EXPIRED: 'due',
  CLOSED: 'open',
};

function disputeEntry(row: DisputeRow, referenceOf: ReadonlyMap<string, string>, expect: Expecter): LedgerEntry {
  const { id, paymentId, attemptId, gatewayDisputeId, currency, state, at } = row;
  const stance = DISPUTE_STANCES[state];
  const amount = stance === 'due' ? row.takenBack : row.amount;
  return {
    subject: `dispute/${id}`,
    kind: 'dispute',
    paymentId,
    refundId: null,
    disputeId: id,
    references: [gatewayDisputeId, ...namesOf(referenceOf.get(attemptId))],
    transactionIds: [gatewayDisputeId],
    currency,
    amount: sameDecimal(amount, '0') ? '0' : `-${amount}`,
    // Charges for disputes are no part of what it takes back, and not known before a payout takes them off.
    fee: null,
    // Where nothing was left to take back, nothing of it should be settled.
    stance: stance === 'due' && sameDecimal(amount, '0') ? 'void' : stance,
    occurredAt: at,
    ...expect(at),
  };
}

function namesOf(name: string | null | undefined): string[] {
  return name === null || name === undefined || name === '' ? [] : [name];
}
