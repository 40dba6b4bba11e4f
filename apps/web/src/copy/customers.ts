import type { RouterOutputs } from '../trpc/outputs.ts';
import { failureOwner } from './attempts.ts';
import { FAILURE_LABELS } from './failure-reasons.ts';

type Customer = RouterOutputs['customers']['byPayment'];

/** A customer with their payments, as the server describes them. */
export type FoundCustomer = Extract<Customer, { kind: 'found' }>;

/** A customer whose personal data was removed. */
export type ErasedCustomer = Extract<Customer, { kind: 'erased' }>;

/** The lists of a customer. */
export type CustomerRows = Pick<FoundCustomer, 'payments' | 'tries' | 'refunds' | 'disputes'>;

/** Why a try failed, in one line: the gateway's own message where there is one. */
export function describeTry({ kind, failureReason, failureClass, message }: FoundCustomer['tries'][number]): string {
  if (kind === 'attempt') {
    const owner = failureClass === null ? 'No checkout opened' : failureOwner(failureClass);
    return message === null || message === '' ? `${owner}.` : `${owner}: ${message}`;
  }
  if (failureReason === null) return message ?? 'The reason is not recorded.';
  const { sentence } = FAILURE_LABELS[failureReason];
  return failureReason === 'declined' || failureReason === 'checkout_closed' ? (message ?? sentence) : sentence;
}
