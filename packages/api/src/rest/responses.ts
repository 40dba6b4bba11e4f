import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import { MERCHANT_EVENT_TYPES } from '@switchyard/webhooks/events';
import { z } from 'zod';

extendZodWithOpenApi(z);

/*
 * The documented responses, for the OpenAPI document and for the tests that validate every response. `strictObject`, because a
 * documented resource carries exactly the documented fields.
 */

const uuid = z.uuid();
const instant = z.iso.datetime();
const status = z.enum(['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED']);
const executionStatus = z.enum(['processing', 'succeeded', 'failed', 'refunded']);

const fallbackGateway = z.strictObject({ name: z.string(), reason: z.string() }).openapi('FallbackGateway');

const session = z
  .strictObject({
    raw: z.record(z.string(), z.unknown()).openapi({ description: "The gateway's own answer." }),
    gateway: z.string(),
    reference: z.string(),
    accessCode: z.string().openapi({ description: 'Empty where the gateway has none.' }),
    redirectUrl: z.url().openapi({ description: 'Where to send the customer.' }),
    metadata: z.strictObject({
      mode: z.string(),
      paymentId: uuid,
      merchantId: uuid,
      callbackUrl: z.url(),
      redirectUrl: z.url(),
      merchantOrderId: z.string(),
      referencePrefix: z.string(),
      fallbackGateways: z.array(fallbackGateway),
    }),
  })
  .openapi('Session');

const routing = z
  .strictObject({
    version: z.int(),
    decidedAt: instant,
    rationale: z.string(),
    rationaleCode: z.enum(['smart_routing_rule', 'default_provider_order', 'requested_gateway', 'no_eligible_provider']),
    contextKey: z.string().openapi({ example: 'NGN|CARD|0-5000' }),
    overrides: z.array(
      z.strictObject({
        provider: z.string(),
        subproviderId: z.string(),
        action: z.enum(['drain', 'disable', 'force']),
        reason: z.string(),
        actor: z.string(),
        expiresAt: instant.nullable(),
      }),
    ),
    reasons: z.array(
      z.strictObject({
        code: z.string(),
        title: z.string(),
        message: z.string(),
        category: z.enum(['rule', 'health', 'override', 'capability', 'fallback']),
        severity: z.enum(['info', 'warning', 'critical']),
      }),
    ),
    candidates: z.array(
      z.strictObject({
        index: z.int(),
        eligible: z.boolean(),
        provider: z.string(),
        subproviderId: z.string(),
        ineligibleReason: z.string().nullable().openapi({
          description:
            'Null for every account that can take the payment: it is in the plan, behind the healthy ones when it is not healthy. Otherwise disabled_by_operator, disabled, method_not_supported, currency_not_supported, amount_out_of_range or not_configured. Payments routed earlier may have unhealthy.',
        }),
      }),
    ),
    recommended: z.strictObject({ index: z.int(), provider: z.string(), subproviderId: z.string() }).nullable(),
  })
  .openapi('RoutingDecision');

/** The Payment resource of `GET`. */
export const paymentResource = z
  .strictObject({
    paymentId: uuid,
    merchantOrderId: z.string(),
    status,
    executionStatus,
    currency: z.string(),
    amount: z.int(),
    recommendedGateway: z.strictObject({
      name: z.string(),
      session: session.nullable().openapi({ description: 'Null when no gateway opened a checkout.' }),
    }),
    fallbackGateways: z.array(fallbackGateway).openapi({
      description:
        'The planned gateways that were not needed, in the order in which they would have been tried; those that are not healthy come last.',
    }),
    routing,
    createdAt: instant,
    updatedAt: instant,
  })
  .openapi('Payment');

/**
 * The Payment resource of initiate, with its routing. Written out instead of extended: in an `allOf`, two closed objects would
 * forbid each other's fields.
 */
export const initiatedPaymentResource = z
  .strictObject({
    ...paymentResource.shape,
    routingMode: z.enum(['smart', 'requested']),
    requestedGateway: z.string().nullable(),
    smartRoutingBypassed: z.boolean(),
  })
  .openapi('InitiatedPayment');

/** The documented event record, of one of these types. */
function eventRecord<Type extends string>(types: readonly [Type, ...Type[]]) {
  return z.strictObject({
    id: uuid,
    type: z.enum(types),
    createdAt: instant,
    merchantNumber: z.string(),
    data: z.strictObject({
      paymentId: uuid,
      merchantOrderId: z.string(),
      status,
      executionStatus,
      currency: z.string(),
      amount: z.int(),
      gatewayReference: z.string(),
    }),
  });
}

/** The response of verify. */
export const verificationResult = eventRecord([
  'payment.pending',
  'payment.succeeded',
  'payment.failed',
  'payment.refunded',
]).openapi('VerificationResult');

/** The body of a webhook to merchants. */
export const webhookEvent = eventRecord(MERCHANT_EVENT_TYPES).openapi('WebhookEvent', {
  description:
    'An event record. `data` is the payment as the event left it. Events of a refund are about its payment: ' +
    '`GET /v1/payments/{paymentId}/refunds` answers the refund with its amount.',
});

/** A page of payments, newest first. */
export const paymentList = z
  .strictObject({
    payments: z.array(paymentResource),
    nextCursor: z.string().nullable().openapi({ description: 'The `cursor` of the next page; null on the last one.' }),
  })
  .openapi('PaymentList');

/** A page of events, newest first. */
export const eventList = z
  .strictObject({
    events: z.array(webhookEvent),
    nextCursor: z.string().nullable().openapi({ description: 'The `cursor` of the next page; null on the last one.' }),
  })
  .openapi('EventList');

/** The Refund resource, an extension. */
export const refundResource = z
  .strictObject({
    refundId: uuid,
    paymentId: uuid,
    amount: z.int(),
    currency: z.string(),
    status: z.enum(['PENDING', 'SUCCESS', 'FAILED', 'NEEDS_ATTENTION']).openapi({
      description: 'PENDING until the gateway is done with it; NEEDS_ATTENTION when the gateway waits for a person to help.',
    }),
    reason: z.string().nullable(),
    failureReason: z.string().nullable().openapi({ description: 'Why it failed, or what it waits for.' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .openapi('Refund');

/** A page of refunds, newest first. */
export const refundList = z
  .strictObject({
    refunds: z.array(refundResource),
    nextCursor: z.string().nullable().openapi({ description: 'The `cursor` of the next page; null on the last one.' }),
  })
  .openapi('RefundList');

/** The success envelope around a resource. */
export function successEnvelope<Data extends z.ZodType>(data: Data) {
  return z.strictObject({ status: z.literal(true), statusCode: z.literal(200), message: z.string(), data });
}

/** The failure envelope. */
export const failureEnvelope = z
  .strictObject({
    success: z.literal(false),
    statusCode: z.int(),
    message: z.string(),
    data: z
      .strictObject({
        errors: z.array(z.string()),
        paymentId: uuid.optional().openapi({ description: 'The payment that has the order id.' }),
        refundableAmount: z.int().optional().openapi({ description: 'What is left to refund, in whole main units.' }),
      })
      .nullable()
      .openapi({ description: 'What was wrong, one sentence each; null where there is nothing to add.' }),
  })
  .openapi('Failure');
