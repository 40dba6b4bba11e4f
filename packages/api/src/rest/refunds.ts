import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import { listRefunds, readOneRefund } from '@switchyard/payments/refund-lists';
import { type RefundAmount, type RequestRefundOutcome, refundResource, requestRefund } from '@switchyard/payments/refunds';
import { z } from 'zod';
import { type Endpoint, endpointWithBody } from './endpoint.ts';
import { type Answer, type FieldError, failures, succeed } from './envelope.ts';
import { idOfRequest, onceByIdempotencyKey } from './idempotency.ts';
import { describeIssues, withCode } from './issues.ts';
import { pageCursor, refundListQuery } from './list-queries.ts';
import { amount, isPlainObject, textOf } from './requests.ts';

extendZodWithOpenApi(z);

const REASON_MAX = 200;

/** Refusal of a refund without an amount: a whole one is asked for in words, so that an amount that is not understood refunds nothing. */
const MISSING_AMOUNT = {
  field: 'amount',
  code: 'required',
  rule: 'must be given, or "full": true to refund all that is left',
} as const satisfies FieldError;

interface AskedAmount {
  readonly amount?: unknown;
  readonly full?: unknown;
}
const isGiven = (value: unknown) => value !== undefined && value !== null;
/** Rules about two fields are checked whatever other rules an object breaks. */
const always = ({ value }: z.core.ParsePayload) => isPlainObject(value);

/** Body of `POST /v1/payments/{paymentId}/refunds`: an amount, or the word for all that is left. */
export const refundRequest = z
  .strictObject({
    amount: amount()
      .nullish()
      .openapi({
        type: ['integer', 'null'],
        description: 'Whole main currency units, at most what is left. Either this or `full`.',
        example: 1000,
      }),
    full: z
      .literal(true, 'must be true')
      .nullish()
      .openapi({ type: ['boolean', 'null'], description: 'True for all that is left to refund. Either this or `amount`.' }),
    reason: textOf(1, REASON_MAX)
      .nullish()
      .openapi({ description: 'Reason; sent to the gateway.', example: 'Item out of stock' }),
  })
  .refine(({ amount, full }: AskedAmount) => isGiven(amount) || isGiven(full), {
    path: [MISSING_AMOUNT.field],
    error: MISSING_AMOUNT.rule,
    when: always,
    ...withCode(MISSING_AMOUNT.code),
  })
  .refine(({ amount, full }: AskedAmount) => !isGiven(amount) || !isGiven(full), {
    path: ['full'],
    error: 'must be left out where amount is given',
    when: always,
  })
  .openapi('RefundPaymentRequest', {
    // A choice beside the fields themselves: generators of types join the two.
    allOf: [
      {
        anyOf: [
          { required: ['amount'], properties: { amount: { type: 'integer' }, full: { type: 'null' } } },
          { required: ['full'], properties: { full: { const: true }, amount: { type: 'null' } } },
        ],
      },
    ],
  });

/** A validated body of `POST /v1/payments/{paymentId}/refunds`. */
type RefundRequest = z.output<typeof refundRequest>;

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

/** `GET /v1/payments/{paymentId}/refunds` */
export const getRefunds: Endpoint = {
  method: 'GET',
  scope: 'refunds:read',
  async serve({ payments }, { caller, params, request, timings }) {
    const parsed = refundListQuery.safeParse(Object.fromEntries(new URLSearchParams(request.query)), { reportInput: true });
    if (!parsed.success) return failures.badRequest(describeIssues(parsed.error.issues));
    const { limit, cursor } = parsed.data;
    const query = { paymentId: params.paymentId ?? '', limit, after: cursor ?? null };
    const found = await listRefunds(payments, caller, query, timings);
    if (found === undefined) return failures.paymentNotFound();
    const nextCursor = found.next === null ? null : pageCursor(found.next);
    return succeed('Refunds retrieved', { refunds: found.items.map(refundResource), nextCursor });
  },
};

/** `GET /v1/payments/{paymentId}/refunds/{refundId}` */
export const getRefund: Endpoint = {
  method: 'GET',
  scope: 'refunds:read',
  async serve({ payments }, { caller, params, timings }) {
    const key = { paymentId: params.paymentId ?? '', refundId: params.refundId ?? '' };
    const refund = await readOneRefund(payments, caller, key, timings);
    return refund === undefined ? failures.refundNotFound() : succeed('Refund retrieved', refundResource(refund));
  },
};
