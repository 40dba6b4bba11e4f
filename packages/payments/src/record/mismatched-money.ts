import type { Database } from '@switchyard/db';
import type { Attempt, Prisma, Refund } from '@switchyard/db/client';
import { wholeUnits } from '@switchyard/db/decimals';

/** Money that one attempt received and that does not match its payment's order, and its state. */
export interface MismatchedMoney {
  readonly attemptId: string;
  readonly accountId: string;
  readonly gateway: string;
  /** The attempt's reference, as the gateway knows it. */
  readonly reference: string;
  readonly transactionId: string;
  /** Exact decimal of the main unit. */
  readonly receivedAmount: string;
  /** Null where the gateway named none: the payment's. */
  readonly receivedCurrency: string | null;
  /** Amount that a refund can return now, in whole main units. */
  readonly refundable: bigint;
  /** The fraction that refunds cannot move, less than one unit: usually `0`. */
  readonly remainder: string;
  /** `refunding` until a refund of it has ended; `returned` when its whole units were. */
  readonly state: 'open' | 'refunding' | 'returned';
  /** The failure of its last refund, if that failed. */
  readonly failureMessage: string | null;
}

type AttemptMoney = Pick<
  Attempt,
  'id' | 'accountId' | 'gateway' | 'reference' | 'state' | 'transactionId' | 'receivedAmount' | 'receivedCurrency'
>;
type RefundOfMoney = Pick<Refund, 'accountId' | 'transactionId' | 'amount' | 'state' | 'failureMessage'>;

/**
 * The mismatched money of one payment: attempts that received money and did not pay it, in the order given. `refunds` are those of
 * the payment, oldest first. Money that a refund is returning cannot be refunded again until that failed.
 */
export function describeMismatchedMoney(
  attempts: readonly AttemptMoney[],
  refunds: readonly RefundOfMoney[],
): readonly MismatchedMoney[] {
  return attempts.flatMap(({ id: attemptId, accountId, gateway, reference, state, transactionId, ...received }) => {
    if (state === 'PAID' || transactionId === null || received.receivedAmount === null) return [];
    const receivedAmount = received.receivedAmount.toFixed();
    const { whole, remainder } = wholeUnits(receivedAmount);
    const own = refunds.filter((refund) => refund.accountId === accountId && refund.transactionId === transactionId);
    const standing = own.filter((refund) => refund.state !== 'FAILED');
    const taken = standing.reduce((sum, { amount }) => sum + amount, 0n);
    const refundable = whole > taken ? whole - taken : 0n;
    const last = own.at(-1);
    return [
      {
        attemptId,
        accountId,
        gateway,
        reference,
        transactionId,
        receivedAmount,
        receivedCurrency: received.receivedCurrency,
        refundable,
        remainder,
        state: stateOf(standing, refundable),
        failureMessage: last?.state === 'FAILED' ? last.failureMessage : null,
      },
    ];
  });
}

function stateOf(standing: readonly RefundOfMoney[], refundable: bigint): MismatchedMoney['state'] {
  if (standing.some(({ state }) => state !== 'SUCCEEDED')) return 'refunding';
  return standing.length > 0 && refundable === 0n ? 'returned' : 'open';
}

/** True if a review has to stay open for this money: it can be refunded, or its refund may still fail. */
export function isUnsettled({ refundable, state }: MismatchedMoney): boolean {
  return refundable > 0n || state === 'refunding';
}

interface PaymentKey {
  readonly merchantId: string;
  readonly paymentId: string;
}

/** Attempts and refunds read for one payment at most; a payment has a few. */
const ROWS_MAX = 100;

/** The mismatched money of payments, by payment id; by the position of the attempts. */
export async function readMismatchedMoney(
  database: Database['prisma'] | Prisma.TransactionClient,
  payments: readonly PaymentKey[],
): Promise<ReadonlyMap<string, readonly MismatchedMoney[]>> {
  if (payments.length === 0) return new Map();
  const of = {
    merchantId: { in: payments.map(({ merchantId }) => merchantId) },
    paymentId: { in: payments.map(({ paymentId }) => paymentId) },
  };
  const take = ROWS_MAX * payments.length;
  const attempts = await database.attempt.findMany({
    where: { ...of, receivedAmount: { not: null }, transactionId: { not: null } },
    orderBy: { position: 'asc' },
    take,
  });
  const refunds = await database.refund.findMany({ where: of, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }], take });
  return new Map(
    payments.map(({ paymentId }) => {
      const isOwn = (row: { readonly paymentId: string }) => row.paymentId === paymentId;
      return [paymentId, describeMismatchedMoney(attempts.filter(isOwn), refunds.filter(isOwn))];
    }),
  );
}
