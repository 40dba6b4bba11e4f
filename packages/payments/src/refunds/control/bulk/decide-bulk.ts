import { createHash } from 'node:crypto';
import { isUuid, uuidOf } from '@switchyard/db';
import {
  type Attempt,
  type Mode,
  type PaymentStatus,
  Prisma,
  type Refund,
  type RefundApproval,
  type RefundState,
} from '@switchyard/db/client';
import type { RoleKey } from '@switchyard/staff/permissions';
import { subtractReversed } from '../../../record/decide-reversal.ts';
import { type LockedPayment, lockPayments, type RefundedMoney } from '../../../record/refund-queries.ts';
import { type ApprovalState, approvalStateOf } from '../approval-queries.ts';
import { dailyLimitOf, lockControl, type RefundControl, readControl } from '../queries.ts';
import { type BulkRow, isUnreadable, type UnreadableCell } from './read-bulk-file.ts';

/** Payments, sums and settings that the refunds of a file are decided from. */
interface BulkState {
  readonly control: RefundControl;
  /** By id, and by the merchant's order id. */
  readonly payments: ReadonlyMap<string, LockedPayment>;
  /** The attempts that paid the payments, by payment. */
  readonly paid: ReadonlyMap<string, Attempt>;
  readonly refunds: readonly Refund[];
  readonly approvals: readonly RefundApproval[];
}

/** The merchant and mode whose payments a file is about. */
export interface BulkScope {
  readonly merchantId: string;
  readonly mode: Mode;
}

const OF_ONE_PAYMENT_MAX = 100;

/**
 * Reads what the refunds of a file are decided from. With `locks`, payments and control stay as they are until the transaction ends:
 * payments in the order of their ids, so that two files never wait for each other.
 */
export async function readBulkState(
  client: Prisma.TransactionClient,
  { merchantId, mode }: BulkScope,
  rows: readonly BulkRow[],
  locks: boolean,
): Promise<BulkState> {
  const named = [...new Set(rows.map(({ payment }) => payment))];
  const byOrder = await client.payment.findMany({
    where: { merchantId, mode, merchantOrderId: { in: named } },
    select: { id: true },
    take: named.length,
  });
  const ids = [...new Set([...byOrder.map(({ id }) => id), ...named.filter(isUuid).map((id) => id.toLowerCase())])];
  const found = await lockPayments(client, merchantId, ids, locks ? undefined : Prisma.empty);
  const payments = found.filter((payment) => payment.mode === mode);
  const where = { merchantId, paymentId: { in: payments.map(({ paymentId }) => paymentId) } };
  const take = payments.length * OF_ONE_PAYMENT_MAX;
  const paidBy = {
    ...where,
    state: 'PAID',
    duplicate: false,
    receivedAmount: { not: null },
    transactionId: { not: null },
  } as const;
  const attempts = await client.attempt.findMany({ where: paidBy, orderBy: { position: 'desc' }, take });
  const control = await (locks ? lockControl : readControl)(client, merchantId);
  // After the locks: what was requested meanwhile is seen.
  const refunds = await client.refund.findMany({ where, take });
  const approvals = await client.refundApproval.findMany({ where, take });
  return {
    control,
    payments: new Map(
      payments.flatMap((payment) => [[payment.merchantOrderId, payment] as const, [payment.paymentId, payment] as const]),
    ),
    paid: new Map(attempts.map((attempt) => [attempt.paymentId, attempt])),
    refunds,
    approvals,
  };
}

/** The outcome of a line of a file. Amounts are whole main units. */
export type BulkFate =
  | { readonly kind: 'refund'; readonly amount: bigint }
  /** It waits for a second person. */
  | { readonly kind: 'needs_approval'; readonly amount: bigint }
  /** The same line was refunded, or asked for, before: nothing is done. */
  | { readonly kind: 'known'; readonly state: RefundState | ApprovalState }
  /** The same line stands above. */
  | { readonly kind: 'repeated'; readonly line: number }
  | { readonly kind: 'unreadable'; readonly column: string; readonly message: string }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'not_paid'; readonly status: PaymentStatus }
  | { readonly kind: 'too_much'; readonly refundable: bigint }
  | { readonly kind: 'needs_reason_code' }
  | { readonly kind: 'over_daily_limit'; readonly limit: bigint; readonly left: bigint };

/** A line of a file with what becomes of it. */
export interface BulkLine {
  readonly line: number;
  /** As the file names the payment; empty where it cannot be read. */
  readonly payment: string;
  readonly paymentId: string | null;
  readonly merchantOrderId: string | null;
  readonly currency: string | null;
  /** The id of its refund; null where it can have none. */
  readonly refundId: string | null;
  readonly fate: BulkFate;
}

/** A line that is refunded, or waits for a second person, with all that is recorded of it. */
export interface BulkRefund {
  readonly kind: 'refund' | 'needs_approval';
  readonly payment: LockedPayment;
  readonly money: RefundedMoney;
  readonly refundId: string;
  readonly amount: bigint;
  readonly reasonCode: string | null;
  readonly reason: string | null;
  /** A refund of the payment failed before. */
  readonly replacesFailed: boolean;
}

/** The outcome of a file, line by line, and the refunds and approvals to record. */
export interface BulkDecision {
  readonly lines: readonly BulkLine[];
  readonly refunds: readonly BulkRefund[];
  /** The hash of the whole decision: two decisions with the same hash do the same. */
  readonly hash: string;
}

/** The person who refunds a file, and what they requested today of each currency. */
export interface BulkPerson {
  readonly roles: readonly RoleKey[];
  readonly requestedToday: ReadonlyMap<string, bigint>;
}

/**
 * Decides what becomes of the lines of a file in their order, each after those above it, as single requests of one person would be. It is
 * pure: the preview and the refunds themselves are decided by it.
 */
export function decideBulk(
  scope: BulkScope,
  rows: readonly (BulkRow | UnreadableCell)[],
  state: BulkState,
  person: BulkPerson,
  now: Date,
): BulkDecision {
  const known = knownStates(state, now);
  const { taken, alone } = sumsOf(state);
  const failed = new Set(state.refunds.flatMap((refund) => (refund.state === 'FAILED' ? refund.paymentId : [])));
  const today = new Map(person.requestedToday);
  const limit = dailyLimitOf(state.control, person.roles);
  const codes = new Set(state.control.reasonCodes.map(({ code }) => code));
  const { secondPersonAbove } = state.control;
  const above = new Map<string, number>();
  const refunds: BulkRefund[] = [];

  function fateOf(row: BulkRow, payment: LockedPayment, refundId: string): BulkFate {
    const { paymentId, status, currency, amount: whole, reversal } = payment;
    const same = above.get(refundId);
    if (same !== undefined) return { kind: 'repeated', line: same };
    const before = known.get(refundId);
    if (before !== undefined) return { kind: 'known', state: before };
    const attempt = state.paid.get(paymentId);
    if ((status !== 'SUCCESS' && status !== 'REFUNDED') || attempt === undefined || attempt.transactionId === null)
      return { kind: 'not_paid', status };
    const refundable = rest(subtractReversed(whole, reversal), taken.get(moneyKey({ ...attempt, paymentId })) ?? 0n);
    const amount = row.amount === 'full' ? refundable : row.amount;
    if (amount > refundable || refundable === 0n) return { kind: 'too_much', refundable };
    if ((codes.size > 0 || row.reasonCode !== null) && !codes.has(row.reasonCode ?? '')) return { kind: 'needs_reason_code' };
    const left = limit === null ? null : rest(limit, today.get(currency) ?? 0n);
    if (limit !== null && left !== null && amount > left) return { kind: 'over_daily_limit', limit, left };
    const byOne = alone.get(paymentId) ?? 0n;
    const kind = secondPersonAbove !== null && byOne + amount > secondPersonAbove ? 'needs_approval' : 'refund';
    today.set(currency, (today.get(currency) ?? 0n) + amount);
    if (kind === 'refund') {
      taken.set(moneyKey({ ...attempt, paymentId }), (taken.get(moneyKey({ ...attempt, paymentId })) ?? 0n) + amount);
      alone.set(paymentId, byOne + amount);
    }
    const { id: attemptId, accountId, gateway, transactionId } = attempt;
    const { reasonCode, reason } = row;
    const replacesFailed = failed.has(paymentId);
    refunds.push({
      kind,
      payment,
      money: { attemptId, accountId, gateway, transactionId },
      refundId,
      amount,
      reasonCode,
      reason,
      replacesFailed,
    });
    return { kind, amount };
  }

  const lines = rows.map((row): BulkLine => {
    const nothing = { paymentId: null, merchantOrderId: null, currency: null, refundId: null };
    if (isUnreadable(row)) {
      const { line, column, message } = row;
      return { ...nothing, line, payment: '', fate: { kind: 'unreadable', column, message } };
    }
    const { line, payment: name } = row;
    const payment = state.payments.get(name) ?? state.payments.get(name.toLowerCase());
    if (payment === undefined) return { ...nothing, line, payment: name, fate: { kind: 'not_found' } };
    const { paymentId, merchantOrderId, currency } = payment;
    const refundId = refundIdOf(scope, row, paymentId);
    const fate = fateOf(row, payment, refundId);
    if (!above.has(refundId)) above.set(refundId, line);
    return { line, payment: name, paymentId, merchantOrderId, currency, refundId, fate };
  });
  return { lines, refunds, hash: hashOf(lines) };
}

/**
 * The id of a line's refund, from what the line says: payment, amount, reason code and reason. The same line, in the same file or another,
 * has the same id, and so is refunded once.
 */
function refundIdOf({ merchantId, mode }: BulkScope, { amount, reasonCode, reason }: BulkRow, paymentId: string): string {
  const said = JSON.stringify(['bulk-refund', merchantId, mode, paymentId, amount.toString(), reasonCode, reason]);
  return uuidOf(said);
}

function knownStates({ refunds, approvals }: BulkState, now: Date): ReadonlyMap<string, RefundState | ApprovalState> {
  return new Map<string, RefundState | ApprovalState>([
    ...approvals.map((approval) => [approval.id, approvalStateOf(approval, now)] as const),
    ...refunds.map(({ id, state }) => [id, state] as const),
  ]);
}

/** Amounts refunded of each transaction, and those that people refunded of each payment without a second person. */
function sumsOf({ refunds, approvals }: BulkState) {
  const approved = new Set(approvals.map(({ id }) => id));
  const taken = new Map<string, bigint>();
  const alone = new Map<string, bigint>();
  for (const refund of refunds) {
    const { id, paymentId, state, amount, duplicate, mismatched, requestedBy } = refund;
    if (state === 'FAILED') continue;
    taken.set(moneyKey(refund), (taken.get(moneyKey(refund)) ?? 0n) + amount);
    if (duplicate || mismatched || approved.has(id) || !requestedBy.startsWith('staff:')) continue;
    alone.set(paymentId, (alone.get(paymentId) ?? 0n) + amount);
  }
  return { taken, alone };
}

function moneyKey({
  paymentId,
  accountId,
  transactionId,
}: {
  paymentId: string;
  accountId: string;
  transactionId: string | null;
}) {
  return JSON.stringify([paymentId, accountId, transactionId]);
}

function rest(whole: bigint, less: bigint): bigint {
  return whole > less ? whole - less : 0n;
}

function hashOf(lines: readonly BulkLine[]): string {
  const text = JSON.stringify(lines, (_, value: unknown) => (typeof value === 'bigint' ? value.toString() : value));
  return createHash('sha256').update(text).digest('hex');
}
