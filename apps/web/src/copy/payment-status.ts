/** The statuses of a payment as people read them, in the order of its life; the server derives them. */
export const PAYMENT_STATUSES = [
  'INITIATED',
  'PENDING',
  'SUCCESS',
  'PARTLY_REFUNDED',
  'REFUNDED',
  'REVERSED',
  'EXPIRED',
  'FAILED',
] as const;

/** Status of a payment as people read it. Those of the REST API are among them. */
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The tone of a status, which decides its colour. */
export type Tone = 'good' | 'wait' | 'bad' | 'over';

/** The label and meaning of a status. */
export const STATUS_LABELS: Record<PaymentStatus, { readonly word: string; readonly tone: Tone; readonly meaning: string }> = {
  INITIATED: { word: 'Initiated', tone: 'wait', meaning: 'Recorded; no gateway has opened a checkout yet' },
  PENDING: { word: 'Pending', tone: 'wait', meaning: 'The customer has a checkout and has not finished' },
  SUCCESS: { word: 'Succeeded', tone: 'good', meaning: 'A gateway proved that the money was received' },
  PARTLY_REFUNDED: { word: 'Partly refunded', tone: 'over', meaning: 'Succeeded, then refunded in part' },
  REFUNDED: { word: 'Refunded', tone: 'over', meaning: 'The full amount was returned' },
  REVERSED: { word: 'Reversed', tone: 'bad', meaning: 'Succeeded, then the gateway took money back' },
  EXPIRED: { word: 'Expired', tone: 'over', meaning: 'The customer did not pay before the session expired; no gateway failed' },
  FAILED: { word: 'Failed', tone: 'bad', meaning: 'No checkout opened, or the payment was declined' },
};

/** The statuses of payments that were paid, whatever became of the money. */
export const PAID_STATUSES = ['SUCCESS', 'PARTLY_REFUNDED', 'REFUNDED', 'REVERSED'] as const satisfies readonly PaymentStatus[];

/** The statuses of payments that were not paid and will not be: failures, and sessions that expired. */
export const UNPAID_STATUSES = ['EXPIRED', 'FAILED'] as const satisfies readonly PaymentStatus[];
