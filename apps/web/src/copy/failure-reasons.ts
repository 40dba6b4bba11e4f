import { gatewayTitle } from './gateways.ts';

/** Why a payment failed, as stored, the most frequent first. */
export const FAILURE_REASONS = [
  'declined',
  'session_expired',
  'checkout_closed',
  'every_gateway_failed',
  'no_eligible_provider',
  'not_paid',
  'review_closed',
  'review_refunded',
] as const;

/** A code of {@link FAILURE_REASONS}. */
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** The label of a reason in lists and filters, and its sentence. */
export const FAILURE_LABELS: Record<FailureReason, { readonly word: string; readonly sentence: string }> = {
  declined: { word: 'Declined', sentence: 'The last try was declined, and the customer did not pay before the session expired.' },
  checkout_closed: { word: 'Checkout closed', sentence: 'The gateway closed its checkout, and nothing was paid.' },
  session_expired: { word: 'Session expired', sentence: 'The customer did not pay before the session expired.' },
  every_gateway_failed: { word: 'No checkout opened', sentence: 'No gateway opened a checkout.' },
  no_eligible_provider: { word: 'No eligible account', sentence: 'No gateway account could take this payment.' },
  not_paid: { word: 'Not paid', sentence: 'The gateway had not answered at first, and then proved that nothing was paid.' },
  review_closed: { word: 'Review closed', sentence: 'It was under review, and the review was closed without a refund.' },
  review_refunded: { word: 'Refunded after review', sentence: 'The amount received did not match the order, and was refunded.' },
};

/** Fields of a failed payment that tell its reason. */
export interface FailedPayment {
  readonly status: string;
  /** Null while it is not known. */
  readonly failureReason: string | null;
  readonly attempts: readonly { readonly gateway: string; readonly failure: { readonly message: string } | null }[];
  readonly timeline: readonly { readonly toStatus: string | null; readonly detail: unknown }[];
}

/** Why a payment failed, in one line, with the gateway's own message where there is one; null for payments that did not fail. */
export function describeFailure({ status, failureReason, attempts, timeline }: FailedPayment): string | null {
  if (status !== 'FAILED') return null;
  const detail = timeline.findLast(({ toStatus }) => toStatus === 'FAILED')?.detail;
  const reason = readReason(failureReason ?? textOf(detail, 'reason'));
  if (reason === null) return textOf(detail, 'message') ?? 'The reason is not recorded.';
  switch (reason) {
    case 'declined':
    case 'checkout_closed':
      return textOf(detail, 'message') ?? FAILURE_LABELS[reason].sentence;
    case 'every_gateway_failed': {
      const failures = attempts.flatMap(({ gateway, failure }) =>
        failure === null ? [] : [`${gatewayTitle(gateway)}: ${failure.message}`],
      );
      return [FAILURE_LABELS.every_gateway_failed.sentence, ...failures].join(' ');
    }
    case 'session_expired':
    case 'no_eligible_provider':
    case 'not_paid':
    case 'review_closed':
    case 'review_refunded':
      return FAILURE_LABELS[reason].sentence;
    default:
      return reason satisfies never;
  }
}

function readReason(code: string | null): FailureReason | null {
  return FAILURE_REASONS.find((reason) => reason === code) ?? null;
}

function textOf(detail: unknown, name: string): string | null {
  const value: unknown = typeof detail === 'object' && detail !== null ? Reflect.get(detail, name) : null;
  return typeof value === 'string' && value !== '' ? value : null;
}
