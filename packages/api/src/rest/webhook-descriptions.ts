import type { OpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { MERCHANT_EVENT_TYPES, type MerchantEventType } from '@switchyard/webhooks/events';
import { z } from 'zod';
import { webhookEvent } from './responses.ts';

const EVENTS: Readonly<Record<MerchantEventType, { readonly summary: string; readonly description: string }>> = {
  'payment.succeeded': {
    summary: 'Payment succeeded',
    description: 'A gateway proved that the full amount was received.',
  },
  'payment.failed': {
    summary: 'Payment failed',
    description: 'No gateway opened a checkout, or a gateway proved that nothing was paid.',
  },
  'payment.refunded': {
    summary: 'Payment refunded',
    description: 'Refunds have reached the full amount. Sent after the `refund.succeeded` of the refund that completed it.',
  },
  'payment.requires_review': {
    summary: 'Payment requires review',
    description:
      'Money was received that does not match the order, or no gateway has said for seven days whether it was paid. The payment is not a success.',
  },
  'payment.duplicate_charge': {
    summary: 'Duplicate charge',
    description: 'Money was received for a payment that had already been paid.',
  },
  'payment.repeated': {
    summary: 'Payment repeated',
    description:
      'The customer probably paid twice for one order: this payment was begun while an earlier one of the same customer and amount was open and did ' +
      'not look paid, and both are paid. `data.repeats` is the earlier one. Nothing is refunded by itself.',
  },
  'payment.reversed': {
    summary: 'Payment reversed',
    description:
      'The gateway took money of a paid payment back: a dispute was lost (`cause` is `chargeback`), or the gateway reports its transaction as ' +
      'reversed. The status stays, refunds are not meant, and what is taken back cannot be refunded. `data.reversal` says how much.',
  },
  'payment.reinstated': {
    summary: 'Payment reinstated',
    description: 'The gateway gave back what it had taken: the payment is paid as before. `data.reversal` says how much.',
  },
  'dispute.opened': {
    summary: 'Dispute opened',
    description:
      'A customer disputes a payment with their bank, or an open dispute came to a stage that needs another answer. No money has moved. ' +
      '`data.dispute` says how much is disputed and, where it is known, until when it has to be answered.',
  },
  'dispute.closed': {
    summary: 'Dispute closed',
    description:
      'A dispute was decided. `data.dispute.state` says how: `won` leaves the money with you; `lost`, `accepted` and `expired` send it back, ' +
      'which `payment.reversed` announces. One that was decided may be decided again, and is then announced again.',
  },
  'refund.succeeded': {
    summary: 'Refund succeeded',
    description:
      'A gateway returned money: of the payment, all of it or a part, of a duplicate charge, or money that did not match the order. ' +
      'Sent once for every refund that succeeds, whoever requested it. `data.refund` is the refund.',
  },
  'refund.failed': {
    summary: 'Refund failed',
    description: 'A refund ended without money being returned. The amount can be refunded again. `data.refund` is the refund.',
  },
};

const headers = z.object({
  'webhook-id': z.string().openapi({
    description: 'The id of the event; the same each time the event is sent.',
    example: '019a9d3c-5c4e-7d2a-9b1e-3f6a8c2d4e5f',
  }),
  'webhook-timestamp': z.string().openapi({ description: 'When it was sent, in seconds since 1970.', example: '1795253497' }),
  'webhook-signature': z.string().openapi({
    description:
      'Signatures of id, timestamp and body, as Standard Webhooks has them, separated by spaces: two while a secret is replaced.',
    example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  }),
});

/** Adds every merchant webhook event to the description, each with the body of one of its type. */
export function registerWebhooks(registry: OpenAPIRegistry, bodies: Readonly<Record<string, unknown>>): void {
  for (const type of MERCHANT_EVENT_TYPES) {
    registry.registerWebhook({
      ...EVENTS[type],
      method: 'post',
      path: type,
      operationId: type,
      tags: ['Events'],
      // Signed with our key, not with a key of the merchant.
      security: [],
      request: {
        headers,
        body: { required: true, content: { 'application/json': { schema: webhookEvent, example: bodies[type] } } },
      },
      responses: { 200: { description: 'Any 2xx: the event has arrived. Any other answer, or none in 15 s: it is sent again.' } },
    });
  }
}
