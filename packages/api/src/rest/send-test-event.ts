import type { MerchantEventType } from '@switchyard/webhooks/events';
import { sendExampleEvent } from '@switchyard/webhooks/events/send-example';
import { type TestEventRequest, testEventRequest } from './developer-requests.ts';
import { endpointWithBody } from './endpoint.ts';
import { failures, writeSuccess } from './envelope.ts';

/** `POST /v1/events/test` */
export const sendTestEvent = endpointWithBody<TestEventRequest>({
  method: 'POST',
  scope: 'payments:write',
  body: { test: testEventRequest, live: testEventRequest },
  optional: false,
  async run(switchyard, { caller, body }) {
    if (caller.mode !== 'test') {
      return failures.badRequest([{ field: 'Authorization', code: 'invalid_value', rule: 'must be a key of test mode' }]);
    }
    const { id: merchantId } = caller.configuration.merchant;
    const outcome = await sendExampleEvent(switchyard, { merchantId, type: body.type });
    switch (outcome.kind) {
      case 'no_such_event':
        return failures.badRequest([
          {
            field: 'type',
            code: 'invalid_value',
            rule: `has had no event yet: ${HOW_TO_HAVE[body.type]}, and send it again`,
          },
        ]);
      case 'sent':
        return { kind: 'written', statusCode: 200, body: writeSuccess('Test event sent', outcome.body) };
      default:
        return outcome satisfies never;
    }
  },
});

/** Steps that give a payment of test mode an event of a type. */
const HOW_TO_HAVE = {
  'payment.succeeded': 'pay a payment of test mode with a test card that succeeds',
  'payment.failed': 'start a payment of test mode while every gateway of the sandbox has a fault',
  'payment.refunded': 'refund the whole of a payment of test mode',
  'refund.succeeded': 'refund a payment of test mode',
  'refund.failed': 'refund a payment of test mode that was paid with a test card whose refund fails',
  'payment.requires_review': 'pay a payment of test mode while the sandbox has the fault underpaid',
  'payment.duplicate_charge': 'pay a payment of test mode at two gateways of the sandbox',
  'payment.repeated': 'start two payments of test mode for the same customer and amount, and pay both',
  'payment.reversed': 'reverse a paid payment of test mode at Paystack or Monnify of the sandbox, and wait for its status check',
  'dispute.opened': 'dispute a paid payment of test mode at Paystack or Flutterwave of the sandbox',
  'dispute.closed': 'resolve a dispute of a payment of test mode at the sandbox',
  'payment.reinstated': 'give the money of a reversed payment back at the sandbox, and wait for its status check',
} as const satisfies Record<MerchantEventType, string>;
