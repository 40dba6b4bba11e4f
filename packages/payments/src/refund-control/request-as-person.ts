import type { PaymentsContext } from '../context.ts';
import { type RefundRequest, type RequestRefundOutcome, requestRefund } from '../refunds/request-refund.ts';
import { type HeldRefund, holdFor, type RefundingPerson } from './hold-refund.ts';

/** Requests a refund for a person, within the control that the merchant keeps. */
export function requestRefundAsPerson(
  context: PaymentsContext,
  request: Omit<RefundRequest, keyof RefundingPerson>,
  person: RefundingPerson,
): Promise<RequestRefundOutcome | HeldRefund> {
  return requestRefund(context, { ...request, ...person }, holdFor(context, person));
}
