import { eventRecord } from '@switchyard/payments';
import { verify } from '@switchyard/payments/verify';
import { endpointWithBody } from './endpoint.ts';
import { failures, succeed } from './envelope.ts';
import { type VerifyRequest, verifyRequest } from './requests.ts';

/** `POST /v1/payments/{paymentId}/verify` */
export const verifyPayment = endpointWithBody<VerifyRequest>({
  method: 'POST',
  scope: 'payments:write',
  body: { test: verifyRequest, live: verifyRequest },
  optional: true,
  async run(switchyard, { caller, params, body, timings }) {
    const options = { transactionId: body.transactionId ?? null, cause: 'api' } as const;
    const verified = await verify(switchyard.payments, caller, params.paymentId ?? '', options, timings);
    if (verified === undefined) return failures.paymentNotFound();
    const { payment, isCurrent } = verified;
    const message = isCurrent
      ? MESSAGES[payment.status]
      : `${MESSAGES[payment.status]}, as last known: its gateway gave no answer`;
    return succeed(message, eventRecord(payment, caller.configuration.merchant.merchantNumber));
  },
});

const MESSAGES = {
  INITIATED: 'Payment is pending',
  PENDING: 'Payment is pending',
  SUCCESS: 'Payment has already succeeded',
  FAILED: 'Payment failed',
  REFUNDED: 'Payment was refunded',
} as const;
