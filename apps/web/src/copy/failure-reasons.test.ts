import { expect, test } from 'vitest';
import { describeFailure, type FailedPayment } from './failure-reasons.ts';

const failed = (failureReason: string | null, more: Partial<FailedPayment> = {}): FailedPayment => ({
  status: 'FAILED',
  failureReason,
  attempts: [],
  timeline: [],
  ...more,
});
const message = 'Paystack reports that the payment failed: Insufficient funds';

test.each([
  ['the code', failed('session_expired'), 'The customer did not pay before the session expired.'],
  ["the gateway's message", failed('declined', { timeline: [{ toStatus: 'FAILED', detail: { message } }] }), message],
  [
    'what each gateway answered',
    failed('every_gateway_failed', {
      attempts: [
        { gateway: 'paystack', failure: { message: 'No answer in 8 s.' } },
        { gateway: 'flutterwave', failure: { message: 'Invalid key.' } },
      ],
    }),
    'No gateway opened a checkout. Paystack: No answer in 8 s. Flutterwave: Invalid key.',
  ],
  [
    'its timeline, where no code is stored',
    failed(null, { timeline: [{ toStatus: 'FAILED', detail: { reason: 'no_eligible_provider' } }] }),
    'No gateway account could take this payment.',
  ],
  ['nothing known', failed(null), 'The reason is not recorded.'],
  ['another status', failed(null, { status: 'SUCCESS' }), null],
])('why a payment failed is told from %s', (_what, payment, sentence) => {
  expect(describeFailure(payment)).toBe(sentence);
});
