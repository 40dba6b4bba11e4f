import { type PaymentStatus, Prisma } from '@switchyard/db/client';

/** The status of a payment as people read it, in the order of its life. The status that the REST API has is one of fewer. */
export const DISPLAY_STATUSES = [
  'INITIATED',
  'PENDING',
  'SUCCESS',
  /** Paid, and some of the money was refunded. */
  'PARTLY_REFUNDED',
  'REFUNDED',
  /** Paid, and the gateway took money back. */
  'REVERSED',
  /** The customer did not pay in time: no gateway failed. */
  'EXPIRED',
  'FAILED',
] as const;

/** A status of {@link DISPLAY_STATUSES}. */
export type DisplayStatus = (typeof DISPLAY_STATUSES)[number];

/** Fields that the display status of a payment is derived from. */
export interface StatusFacts {
  readonly status: PaymentStatus;
  /** Whole main units that gateways have refunded. */
  readonly refundedAmount: bigint;
  /** When the gateway last took money back; null for never, and once it has returned all of it. */
  readonly reversedAt: Date | null;
  readonly failureReason: string | null;
}

/** The status of the REST API that a display status is a part of, or all of. */
export function statusOf(shown: DisplayStatus): PaymentStatus {
  switch (shown) {
    case 'PARTLY_REFUNDED':
    case 'REVERSED':
      return 'SUCCESS';
    case 'EXPIRED':
      return 'FAILED';
    case 'INITIATED':
    case 'PENDING':
    case 'SUCCESS':
    case 'REFUNDED':
    case 'FAILED':
      return shown;
    default:
      return shown satisfies never;
  }
}

const EXPIRY = 'session_expired';

/** The status that people read. Requested and failed refunds change nothing. */
export function displayStatus({ status, refundedAmount, reversedAt, failureReason }: StatusFacts): DisplayStatus {
  switch (status) {
    case 'SUCCESS':
      if (reversedAt !== null) return 'REVERSED';
      return refundedAmount > 0n ? 'PARTLY_REFUNDED' : 'SUCCESS';
    case 'FAILED':
      return failureReason === EXPIRY ? 'EXPIRED' : 'FAILED';
    case 'INITIATED':
    case 'PENDING':
    case 'REFUNDED':
      return status;
    default:
      return status satisfies never;
  }
}

/** The same of a row `p` of the payments, as text. A test compares the two for every payment there can be. */
export const DISPLAY_STATUS_SQL = `CASE
  WHEN p.status = 'SUCCESS' AND p.reversed_at IS NOT NULL THEN 'REVERSED'
  WHEN p.status = 'SUCCESS' AND p.refunded_amount > 0 THEN 'PARTLY_REFUNDED'
  WHEN p.status = 'FAILED' AND p.failure_reason = '${EXPIRY}' THEN 'EXPIRED'
  ELSE p.status::text END`;

/** The condition that a row `p` of the payments has a display status, in the columns that lists have indexes of. */
export function hasDisplayStatus(status: DisplayStatus): Prisma.Sql {
  switch (status) {
    case 'INITIATED':
    case 'PENDING':
      return Prisma.sql`p.status = ${status}::payment_status`;
    case 'SUCCESS':
      return Prisma.sql`(p.status = 'SUCCESS' AND p.reversed_at IS NULL AND p.refunded_amount = 0)`;
    case 'PARTLY_REFUNDED':
      return Prisma.sql`(p.status = 'SUCCESS' AND p.refunded_amount > 0 AND p.reversed_at IS NULL)`;
    case 'REVERSED':
      return Prisma.sql`(p.reversed_at IS NOT NULL AND p.status = 'SUCCESS')`;
    case 'REFUNDED':
      return Prisma.sql`p.unusual_status = 'REFUNDED'`;
    case 'EXPIRED':
      return Prisma.sql`(p.unusual_status = 'FAILED' AND p.failure_reason = ${EXPIRY})`;
    case 'FAILED':
      return Prisma.sql`(p.unusual_status = 'FAILED' AND p.failure_reason IS DISTINCT FROM ${EXPIRY})`;
    default:
      return status satisfies never;
  }
}
