import type { Dispute, DisputeDueSource, DisputeState, Mode, Prisma } from '@switchyard/db/client';
import { compareDecimals, sameDecimal, subtractDecimals } from '@switchyard/db/decimals';
import { LOST_STATES } from './decide-reversal.ts';

/** A dispute as it is stored. */
export type DisputeRow = Pick<
  Dispute,
  'id' | 'paymentId' | 'state' | 'category' | 'stage' | 'dueAt' | 'dueSource' | 'closedAt' | 'unrecognised'
> & {
  /** Exact decimals of the main unit. */
  readonly amount: string;
  readonly fee: string | null;
};

/** Key of a dispute, and its owner. */
export interface DisputeKey {
  readonly merchantId: string;
  readonly mode: Mode;
  /** Null of a payment that is not in the ledger. */
  readonly paymentId: string | null;
  readonly attemptId: string | null;
  readonly accountId: string;
  readonly gateway: string;
  readonly gatewayDisputeId: string;
  readonly reference: string;
  readonly transactionId: string;
}

/** Fields of a dispute that change. */
export interface DisputeFields {
  readonly state: DisputeState;
  readonly category: string | null;
  readonly stage: string | null;
  readonly amount: string;
  /** The gateway's charge for the dispute; null where it is not known. */
  readonly fee: string | null;
  readonly dueAt: Date | null;
  /** Null without a due date. */
  readonly dueSource: DisputeDueSource | null;
  readonly closedAt: Date | null;
  /** A sentence about the gateway's status, where its document does not list it; null where it does. */
  readonly unrecognised: string | null;
}

/** A stored dispute by the gateway's own id, inside the caller's transaction, which has locked the payment. */
export async function readDispute(
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, gatewayDisputeId }: Pick<DisputeKey, 'merchantId' | 'accountId' | 'gatewayDisputeId'>,
): Promise<DisputeRow | null> {
  const row = await transaction.dispute.findUnique({
    where: { merchantId_accountId_gatewayDisputeId: { merchantId, accountId, gatewayDisputeId } },
  });
  return row === null ? null : { ...row, amount: row.amount.toFixed(), fee: row.fee?.toFixed() ?? null };
}

/** Stores a dispute, or what changed of it, also the payment that it turned out to be of. The caller has locked the payment, or the dispute. */
export async function writeDispute(
  transaction: Prisma.TransactionClient,
  key: DisputeKey,
  {
    id,
    currency,
    ...created
  }: { readonly id: string; readonly currency: string; readonly manual: boolean; readonly openedAt: Date },
  fields: DisputeFields,
  now: Date,
): Promise<void> {
  const { merchantId, accountId, gatewayDisputeId, paymentId, attemptId, reference, transactionId } = key;
  const where = { merchantId, accountId, gatewayDisputeId };
  const about = { paymentId, attemptId, reference, transactionId, currency };
  // Two statements: Citus does not take the one that Prisma makes of an upsert that sets an enum.
  const { count } = await transaction.dispute.updateMany({ where, data: { ...about, ...fields, updatedAt: now } });
  if (count > 0) return;
  await transaction.dispute.create({ data: { ...key, ...created, ...fields, id, currency, createdAt: now, updatedAt: now } });
}

/** One entry of a dispute's history. */
export interface NewDisputeEvent {
  readonly merchantId: string;
  readonly id: string;
  readonly disputeId: string;
  readonly type:
    | 'reported'
    | 'unrecognised'
    | 'opened_by_hand'
    | 'recorded'
    | 'evidence_added'
    | 'answered'
    | 'sent'
    | 'unknown'
    | 'refused'
    | 'fee_settled';
  /** `staff:<id>`, or null for the gateway and the system. */
  readonly actor: string | null;
  readonly state: DisputeState;
  /** Codes and figures; never data of customers. */
  readonly detail: Readonly<Record<string, string | null>>;
}

/** Adds to a dispute's history, which never changes. */
export async function writeDisputeEvent(transaction: Prisma.TransactionClient, event: NewDisputeEvent, now: Date): Promise<void> {
  await transaction.disputeEvent.create({ data: { ...event, detail: { ...event.detail }, createdAt: now } });
}

/** The transaction of an attempt whose disputes are meant. */
export interface DisputedMoney {
  readonly merchantId: string;
  readonly paymentId: string;
  readonly attemptId: string;
  readonly transactionId: string;
}

/** The sum of a transaction's lost disputes, an exact decimal of the main unit. */
export async function sumLostDisputes(
  transaction: Prisma.TransactionClient,
  { merchantId, paymentId, attemptId, transactionId }: DisputedMoney,
): Promise<string> {
  const { _sum } = await transaction.dispute.aggregate({
    where: { merchantId, paymentId, attemptId, transactionId, state: { in: [...LOST_STATES] } },
    _sum: { amount: true },
  });
  return _sum.amount?.toFixed() ?? '0';
}

/**
 * Writes what each dispute of a transaction took back: of what all of them took together, the first lost one has as much as it is of, then the
 * next. A dispute that is not lost, or came when nothing was left, took nothing.
 */
export async function writeTakenBack(
  transaction: Prisma.TransactionClient,
  { merchantId, paymentId, attemptId, transactionId }: DisputedMoney,
  total: string,
): Promise<void> {
  const rows = await transaction.dispute.findMany({
    where: { merchantId, paymentId, attemptId, transactionId },
    select: { id: true, state: true, amount: true, takenBack: true },
    orderBy: [{ closedAt: 'asc' }, { id: 'asc' }],
  });
  const isLost = new Set<DisputeState>(LOST_STATES);
  let left = total;
  for (const { id, state, amount, takenBack } of rows) {
    const whole = isLost.has(state) ? amount.toFixed() : '0';
    const taken = compareDecimals(whole, left) < 0 ? whole : left;
    left = subtractDecimals(left, taken);
    if (sameDecimal(taken, takenBack.toFixed())) continue;
    await transaction.dispute.updateMany({ where: { merchantId, id }, data: { takenBack: taken } });
  }
}
