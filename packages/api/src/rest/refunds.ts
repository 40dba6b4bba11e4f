import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import { z } from 'zod';
import type { FieldError } from './envelope.ts';
import { withCode } from './issues.ts';
import { amount, isPlainObject, textOf } from './requests.ts';

extendZodWithOpenApi(z);

const REASON_MAX = 200;

/** What a refund without an amount needs: a whole one is asked for in words, so that an amount that is not understood refunds nothing. */
export const MISSING_AMOUNT = {
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
export type RefundRequest = z.output<typeof refundRequest>;
