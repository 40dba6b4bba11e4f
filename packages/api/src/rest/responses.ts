import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import { MERCHANT_EVENT_TYPES } from '@switchyard/webhooks/events';
import { z } from 'zod';
import { dispute } from './dispute-resources.ts';
import { FAILURE_CODES, FIELD_ERROR_CODES } from './envelope.ts';

extendZodWithOpenApi(z);

/*
 * The documented responses, for the OpenAPI document and for the tests that validate every response. `strictObject`, because a
 * documented resource carries exactly the documented fields.
 */

const uuid = z.uuid();
const instant = z.iso.datetime();
const described = (description: string) => z.string().openapi({ description });
const amount = (description: string) => z.int().min(1).openapi({ description });
const paymentId = uuid.openapi({ description: 'The id of the payment, made by the service.' });
const merchantOrderId = described("The merchant's own reference, as it was sent.");
const status = z.enum(['INITIATED', 'PENDING', 'SUCCESS', 'FAILED', 'REFUNDED']).openapi({
  description:
    'INITIATED: recorded, no checkout yet. PENDING: the customer can pay. SUCCESS: paid. FAILED: not paid. REFUNDED: all of it was refunded.',
});
const executionStatus = z.enum(['processing', 'succeeded', 'failed', 'refunded']).openapi({
  description: 'processing while INITIATED or PENDING, succeeded, failed or refunded after it.',
});
const currency = z
  .string()
  .regex(/^[A-Z]{3}$/)
  .openapi({ description: 'ISO 4217 code.' });

const fallbackGateway = z
  .strictObject({
    name: described('The gateway.'),
    reason: z.string().openapi({ description: 'Why it is planned.', example: 'plan-fallback' }),
  })
  .openapi('FallbackGateway');

const session = z
  .strictObject({
    raw: z.record(z.string(), z.unknown()).openapi({ description: "The gateway's own answer." }),
    gateway: described('The gateway that opened the checkout.'),
    reference: described('Our reference of the attempt, which the gateway and its dashboard show.'),
    accessCode: z.string().openapi({ description: "The gateway's access code; empty where the gateway has none." }),
    redirectUrl: z.url().openapi({ description: 'Where to send the customer.' }),
    metadata: z.strictObject({
      mode: z.string(),
      paymentId: uuid,
      merchantId: uuid,
      callbackUrl: z.url().openapi({ description: 'Where the gateway sends the customer back: to the service, which verifies.' }),
      // Not of the format `uri`: what the merchant sent may have braces and other characters that it has not.
      redirectUrl: described('Where the service then sends the customer, with `paymentId` added.'),
      merchantOrderId: z.string(),
      referencePrefix: described('Always empty.'),
      fallbackGateways: z.array(fallbackGateway),
    }),
  })
  .openapi('Session');

const routing = z
  .strictObject({
    version: z.int().openapi({ description: "Version of this record's form." }),
    decidedAt: instant,
    rationale: described('Why this gateway, in a sentence.'),
    rationaleCode: z.enum(['smart_routing_rule', 'default_provider_order', 'requested_gateway', 'no_eligible_provider']),
    contextKey: z
      .string()
      .regex(/^[A-Z]{3}\|[A-Z_]+\|\d+-(\d+|\*)$/)
      .openapi({ description: 'Currency, method and the amount band of the rule that matched.', example: 'NGN|CARD|0-5000' }),
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
        provider: described('The gateway.'),
        subproviderId: described("The merchant's account at the gateway."),
        ineligibleReason: z.string().nullable().openapi({
          description:
            'Null for every account that can take the payment: it is in the plan, behind the healthy ones when it is not healthy. Otherwise disabled_by_operator, disabled, method_not_supported, currency_not_supported, amount_out_of_range or not_configured.',
        }),
      }),
    ),
    recommended: z.strictObject({ index: z.int(), provider: z.string(), subproviderId: z.string() }).nullable(),
  })
  .openapi('RoutingDecision');

/** The Payment resource of `GET`. */
export const paymentResource = z
  .strictObject({
    paymentId,
    merchantOrderId,
    status,
    executionStatus,
    currency,
    amount: amount('Whole main currency units: 2500 is ₦2,500.'),
    recommendedGateway: z.strictObject({
      name: described('The gateway whose checkout the customer gets.'),
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
    requestedGateway: z
      .string()
      .nullable()
      .openapi({ description: 'The gateway that the request named; null when it named none.' }),
    smartRoutingBypassed: z.boolean().openapi({ description: 'Whether naming a gateway put the rules aside.' }),
  })
  .openapi('InitiatedPayment');

/** The Refund resource, an extension. */
export const refundResource = z
  .strictObject({
    refundId: uuid.openapi({ description: 'The id of the refund.' }),
    paymentId,
    amount: amount('What is refunded, in whole main currency units.'),
    currency,
    status: z.enum(['PENDING', 'SUCCESS', 'FAILED', 'NEEDS_ATTENTION']).openapi({
      description: 'PENDING until the gateway is done with it; NEEDS_ATTENTION when the gateway waits for a person to help.',
    }),
    reason: z.string().nullable().openapi({ description: 'The reason that the request gave.' }),
    failureReason: z.string().nullable().openapi({ description: 'Why it failed, or what it waits for.' }),
    createdAt: instant,
    updatedAt: instant,
  })
  .openapi('Refund');

/** The documented event record, of one of these types, with what `data` says beside the payment. */
function eventRecord<Type extends string, Beside extends z.ZodRawShape>(types: readonly [Type, ...Type[]], beside: Beside) {
  return z.strictObject({
    id: uuid.openapi({ description: 'The id of the event, and the same wherever the event is shown or sent.' }),
    type: z.enum(types).openapi({ description: 'What happened.' }),
    createdAt: instant,
    merchantNumber: z.string().openapi({ description: 'The number of the merchant.', example: 'M-48213907' }),
    data: z.strictObject({
      paymentId,
      merchantOrderId,
      status,
      executionStatus,
      currency,
      amount: amount('The amount of the payment, in whole main currency units.'),
      gatewayReference: described('The reference at the gateway that took the payment; empty where none opened a checkout.'),
      ...beside,
    }),
  });
}

/** The response of verify. */
export const verificationResult = eventRecord(
  ['payment.pending', 'payment.succeeded', 'payment.failed', 'payment.refunded'],
  {},
).openapi('VerificationResult');

const money = (description: string) => z.number().min(0).openapi({ description, example: 2500 });

/** Money of a payment that its gateway took back, in events of it. */
const reversal = z
  .strictObject({
    amount: money(
      'What was taken back, or given back with `payment.reinstated`, in main currency units, with decimals where it has them.',
    ),
    currency,
    cause: z.enum(['chargeback', 'gateway']).openapi({
      description: 'chargeback: the customer disputed the payment and won. gateway: the gateway gives no reason.',
    }),
    totalReversed: money('All that is taken back of the payment after this event.'),
  })
  .openapi('Reversal');

/** The earlier payment of a customer who paid twice. */
const repeats = z.strictObject({ paymentId, merchantOrderId }).openapi('RepeatedOrder');

/** The body of a webhook to merchants. */
export const webhookEvent = eventRecord(MERCHANT_EVENT_TYPES, {
  refund: refundResource.optional(),
  reversal: reversal.optional(),
  dispute: dispute.optional(),
  repeats: repeats.optional(),
}).openapi('WebhookEvent', {
  description:
    'An event record. `data` is the payment as the event left it, and `amount` is the amount of the payment. In `refund.succeeded` and ' +
    '`refund.failed`, `refund` is the refund that ended. In `payment.reversed` and `payment.reinstated`, ' +
    '`reversal` is what the gateway took or gave back. In `dispute.opened` and `dispute.closed`, `dispute` is the dispute. ' +
    'In `payment.repeated`, `repeats` is the earlier payment.',
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

/** A word of a list that may become longer: clients made from the description have to take words they do not know. */
function extensible(words: readonly string[], description: string) {
  return z.string().openapi({ description, example: words[0], 'x-extensible-enum': [...words] });
}

export const failureEnvelope = z
  .strictObject({
    success: z.literal(false),
    statusCode: z.int().min(400).max(599).openapi({ description: 'The HTTP status.' }),
    message: described('What went wrong, for a developer; never for a customer.'),
    code: extensible(FAILURE_CODES, 'What went wrong, for a program; new codes may be added.'),
    data: z
      .strictObject({
        errors: z.array(z.string()),
        details: z
          .array(
            z.strictObject({
              field: described('The field, parameter or header that breaks a rule; `body` for all of it.'),
              code: extensible(FIELD_ERROR_CODES, 'The rule it breaks; new codes may be added.'),
            }),
          )
          .openapi({ description: 'The same as `errors`, one for each in their order, for a program.' }),
        paymentId: uuid.optional().openapi({ description: 'The payment that has the order id.' }),
        status: z.literal('INITIATED').optional().openapi({
          description: 'The payment that has the order id is still opening its checkout: ask again after Retry-After.',
        }),
        refundableAmount: z.int().optional().openapi({ description: 'What is left to refund, in whole main units.' }),
      })
      .nullable()
      .openapi({ description: 'What was wrong, one sentence each; null where there is nothing to add.' }),
  })
  .openapi('Failure');
