import type { MerchantsContext } from '@switchyard/merchants';
import { announceEvent, type MerchantEventType } from './announce-event.ts';

/** Asks for an event of a type in test mode, to try a webhook handler. */
export interface SendExampleEventCommand {
  readonly merchantId: string;
  readonly merchantNumber: string;
  readonly type: MerchantEventType;
}

const AMOUNT_NAIRA = 2_500;
const REFUNDED_NAIRA = 1_000;

/** The status in which an event of each type leaves its payment. */
const STATUS_AFTER = {
  'payment.succeeded': ['SUCCESS', 'succeeded'],
  'payment.failed': ['FAILED', 'failed'],
  'payment.refunded': ['REFUNDED', 'refunded'],
  'refund.succeeded': ['SUCCESS', 'succeeded'],
  'refund.failed': ['SUCCESS', 'succeeded'],
  'payment.requires_review': ['PENDING', 'processing'],
  'payment.duplicate_charge': ['SUCCESS', 'succeeded'],
} as const satisfies Record<MerchantEventType, readonly [status: string, executionStatus: string]>;

/**
 * Sends an event of a type, about a payment that does not exist, to every endpoint of test mode that subscribes to it, and to every client that
 * watches events. Its order and its reference begin with `test-event`, and verifying its payment finds none. Returns the event record.
 */
export async function sendExampleEvent(
  context: MerchantsContext,
  { merchantId, merchantNumber, type }: SendExampleEventCommand,
): Promise<string> {
  const now = context.now();
  const eventId = context.newId();
  const paymentId = context.newId();
  const [status, executionStatus] = STATUS_AFTER[type];
  const body = JSON.stringify({
    id: eventId,
    type,
    createdAt: now.toISOString(),
    merchantNumber,
    data: {
      paymentId,
      merchantOrderId: `test-event-${paymentId}`,
      status,
      executionStatus,
      currency: 'NGN',
      amount: AMOUNT_NAIRA,
      gatewayReference: `test-event-${paymentId}`,
      ...exampleRefund(context, type, { paymentId, at: now.toISOString() }),
    },
  });
  const event = { merchantId, eventId, mode: 'test', paymentId: null, position: 0, type, body } as const;
  await context.resources.database.prisma.$transaction((transaction) => announceEvent(transaction, event, now));
  return body;
}

/** The refund in an event of one. */
function exampleRefund(
  context: MerchantsContext,
  type: MerchantEventType,
  { paymentId, at }: { readonly paymentId: string; readonly at: string },
): object {
  if (type !== 'refund.succeeded' && type !== 'refund.failed') return {};
  const failed = type === 'refund.failed';
  const refund = {
    refundId: context.newId(),
    paymentId,
    amount: REFUNDED_NAIRA,
    currency: 'NGN',
    status: failed ? 'FAILED' : 'SUCCESS',
    reason: 'Item out of stock',
    failureReason: failed ? 'The gateway reports that the refund failed.' : null,
    createdAt: at,
    updatedAt: at,
  };
  return { refund };
}
