import type { Dispute, DisputeState, Mode, Prisma } from '@switchyard/db/client';

/** A dispute as it is stored. */
export type DisputeRow = Pick<Dispute, 'id' | 'state' | 'category' | 'dueAt' | 'closedAt'> & {
  /** Exact decimal of the main unit. */
  readonly amount: string;
};

/** Key of a dispute, and its owner. */
export interface DisputeKey {
  readonly merchantId: string;
  readonly mode: Mode;
  readonly paymentId: string;
  readonly attemptId: string;
  readonly accountId: string;
  readonly gateway: string;
  readonly gatewayDisputeId: string;
}

/** Fields of a dispute that a gateway reports. */
export interface DisputeFields {
  readonly state: DisputeState;
  readonly category: string | null;
  readonly amount: string;
  readonly dueAt: Date | null;
  readonly closedAt: Date | null;
}

/** A stored dispute by the gateway's own id, inside the caller's transaction, which has locked the payment. */
export async function readDispute(
  transaction: Prisma.TransactionClient,
  { merchantId, accountId, gatewayDisputeId }: DisputeKey,
): Promise<DisputeRow | null> {
  const row = await transaction.dispute.findUnique({
    where: { merchantId_accountId_gatewayDisputeId: { merchantId, accountId, gatewayDisputeId } },
  });
  return row === null ? null : { ...row, amount: row.amount.toFixed() };
}

/** Stores a dispute, or what changed of it. The caller has locked the payment. */
export async function writeDispute(
  transaction: Prisma.TransactionClient,
  key: DisputeKey,
  { id, ...created }: { readonly id: string; readonly currency: string; readonly openedAt: Date },
  fields: DisputeFields,
  now: Date,
): Promise<void> {
  const { merchantId, accountId, gatewayDisputeId } = key;
  const where = { merchantId, accountId, gatewayDisputeId };
  // Two statements: Citus does not take the one that Prisma makes of an upsert that sets an enum.
  const { count } = await transaction.dispute.updateMany({ where, data: { ...fields, updatedAt: now } });
  if (count > 0) return;
  await transaction.dispute.create({ data: { ...key, ...created, ...fields, id, createdAt: now, updatedAt: now } });
}

/** True if a dispute of an attempt's money is open or lost. */
export async function isDisputed(
  transaction: Prisma.TransactionClient,
  { merchantId, paymentId, attemptId }: Pick<DisputeKey, 'merchantId' | 'paymentId' | 'attemptId'>,
): Promise<boolean> {
  const state = { in: ['NEEDS_RESPONSE', 'UNDER_REVIEW', 'LOST'] satisfies DisputeState[] };
  return (await transaction.dispute.count({ where: { merchantId, paymentId, attemptId, state } })) > 0;
}

/** The sum of an attempt's lost disputes, an exact decimal of the main unit. */
export async function sumLostDisputes(
  transaction: Prisma.TransactionClient,
  { merchantId, paymentId, attemptId }: Pick<DisputeKey, 'merchantId' | 'paymentId' | 'attemptId'>,
): Promise<string> {
  const { _sum } = await transaction.dispute.aggregate({
    where: { merchantId, paymentId, attemptId, state: 'LOST' },
    _sum: { amount: true },
  });
  return _sum.amount?.toFixed() ?? '0';
}
