import { type RefundAmount, type RequestRefundOutcome, refundResource, requestRefund } from '@switchyard/payments/refunds';
import { endpointWithBody } from './endpoint.ts';
import { type Answer, failures, succeed } from './envelope.ts';
import { idOfRequest } from './id-of-request.ts';
import { onceByIdempotencyKey } from './idempotency.ts';
import { MISSING_AMOUNT, type RefundRequest, refundRequest } from './refund-request.ts';

/** `POST /v1/payments/{paymentId}/refunds` */
export const requestPaymentRefund = endpointWithBody<RefundRequest>({
  method: 'POST',
  scope: 'refunds:write',
  body: { test: refundRequest, live: refundRequest },
  optional: false,
  missingBody: MISSING_AMOUNT,
  run: (switchyard, call) =>
    onceByIdempotencyKey(switchyard, call, idOfRequest, async ({ resourceId: refundId }) => {
      const { caller, params, body, timings } = call;
      const startedAt = performance.now();
      const outcome = await requestRefund(switchyard.payments, {
        refundId,
        merchantId: caller.configuration.merchant.id,
        mode: caller.mode,
        paymentId: params.paymentId ?? '',
        amount: askedAmount(body),
        reason: body.reason ?? null,
        actor: 'api',
        cause: 'api',
      });
      timings.add('db', performance.now() - startedAt);
      return answer(outcome);
    }),
});

function askedAmount({ amount, full }: RefundRequest): RefundAmount {
  if (typeof amount === 'number') return BigInt(amount);
  if (full === true) return 'full';
  throw new Error('a validated refund has neither an amount nor the word for all that is left');
}

function answer(outcome: RequestRefundOutcome): Answer {
  switch (outcome.kind) {
    case 'requested':
      return succeed('Refund requested', refundResource(outcome.refund));
    case 'not_found':
      return failures.paymentNotFound();
    case 'not_paid':
      return failures.notRefundable(`Only a payment that succeeded can be refunded; this one is ${outcome.status}`, 0n);
    case 'too_much': {
      const { refundable } = outcome;
      const message = refundable === 0n ? 'Nothing of this payment is left to refund' : 'Less than this is left to refund';
      return failures.notRefundable(message, refundable);
    }
    default:
      return outcome satisfies never;
  }
}
