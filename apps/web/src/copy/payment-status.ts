/** The statuses of a payment, in the order of its life. */
export const PAYMENT_STATUSES = ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED'] as const;

/** Status of a payment. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The tone of a status, which decides its colour. */
export type Tone = 'good' | 'wait' | 'bad' | 'over';

/** The label and meaning of a status. */
export const STATUS_LABELS: Record<PaymentStatus, { readonly word: string; readonly tone: Tone; readonly meaning: string }> = {
  INITIATED: { word: 'Initiated', tone: 'wait', meaning: 'Recorded; no gateway has opened a checkout yet' },
  PENDING: { word: 'Pending', tone: 'wait', meaning: 'The customer has a checkout and has not finished' },
  SUCCESS: { word: 'Succeeded', tone: 'good', meaning: 'A gateway proved that the money was received' },
  FAILED: { word: 'Failed', tone: 'bad', meaning: 'No checkout opened, or nothing was paid' },
  REFUNDED: { word: 'Refunded', tone: 'over', meaning: 'The full amount was returned' },
};

/**
 * True if gateways have returned some of a payment's money and not all of it. Requested and failed refunds do not
 * count.
 */
export function isPartlyRefunded(status: PaymentStatus, refunded: bigint): boolean {
  return status === 'SUCCESS' && refunded > 0n;
}
