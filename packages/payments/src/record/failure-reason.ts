/** Why a payment is FAILED, as stored; sentences are made where they are shown. */
export const FAILURE_REASONS = [
  /** No gateway account could take it. */
  'no_eligible_provider',
  /** No gateway opened a checkout. */
  'every_gateway_failed',
  /** The last try to pay was declined, and the time to pay ran out. */
  'declined',
  /** The gateway closed its checkout without a payment: cancelled by the customer, or expired there. */
  'checkout_closed',
  /** The gateway proved that nothing was paid, for an attempt it had not answered. */
  'not_paid',
  /** The time to pay ran out, and the gateway proved that nothing was paid. */
  'session_expired',
  /** It was under review, and staff closed the review without a refund. */
  'review_closed',
  /** The received money did not match the order, and was refunded. */
  'review_refunded',
] as const;

/** A code of {@link FAILURE_REASONS}. */
export type FailureReason = (typeof FAILURE_REASONS)[number];
