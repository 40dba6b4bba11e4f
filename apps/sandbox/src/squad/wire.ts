import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { json, type Reply } from '../server/router.ts';

/** The envelope of most answers. */
export function success(data: unknown): Reply {
  return json(200, { status: 200, success: true, message: 'Success', data });
}

/** The usual refusal. */
export function problem(status: number, message: string): Reply {
  return json(status, { status, success: false, message, data: {} });
}

/** The refusal of a key: without a status in the body. */
export function refusedKey(status: 401 | 403, message: string): Reply {
  return json(status, { success: false, message, data: {} });
}

/** The refusal of a key by initiate, which has an envelope of its own. */
export function initiateUnauthorised(): Reply {
  return json(401, { status: 401, message: 'Initiate transaction Unauthorized', data: null });
}

/** A body that breaks the rules of initiate: problem details as RFC 7231 points to, with the messages of each field. */
export function validationProblem(errors: Readonly<Record<string, readonly string[]>>): Reply {
  return json(400, {
    type: 'https://tools.ietf.org/html/rfc7231#section-6.5.1',
    title: 'One or more validation errors occurred.',
    status: 400,
    traceId: `|${randomBytes(4).toString('hex')}-${randomBytes(8).toString('hex')}.`,
    errors,
  });
}

/** The answer about an unknown transaction reference. */
export const invalidReference = (): Reply => problem(400, 'Invalid transaction reference');

/** Kobo as an integer or a numeric string. */
export const koboSchema = z
  .union([z.number(), z.string().regex(/^\d{1,15}$/)])
  .transform(Number)
  .pipe(z.int().positive());

const textOrMissing = z.string().nullish();

/** Payment methods of a transaction, in the words of `payment_channels`. */
export const paymentChannels = ['card', 'bank', 'ussd', 'transfer'] as const;

/** The body of `POST /transaction/initiate`. The amount is in kobo. */
export const initiateSchema = z.object({
  email: z.email(),
  amount: koboSchema,
  currency: z.enum(['NGN', 'USD']),
  initiate_type: z.literal('inline'),
  // Documented as alphanumeric; references with hyphens and underscores are in use.
  transaction_ref: z
    .string()
    .regex(/^[\w-]{1,100}$/)
    .nullish(),
  customer_name: textOrMissing,
  callback_url: z.url({ protocol: /^https?$/ }).nullish(),
  payment_channels: z.array(z.enum(paymentChannels)).nullish(),
  metadata: z.json().nullish(),
  pass_charge: z.boolean().nullish(),
  is_recurring: z.boolean().nullish(),
});

/** A parsed request to open a payment page. */
export type Initiate = z.infer<typeof initiateSchema>;

/** The answer to a body that breaks the rules of initiate. */
export function initiateProblem(body: unknown, error: z.ZodError): Reply {
  const sent = z.record(z.string(), z.unknown()).safeParse(body);
  if (!sent.success) return validationProblem({ $: ['The JSON value could not be converted.'] });
  const errors: Record<string, string[]> = {};
  for (const { path } of error.issues) {
    const field = String(path[0] ?? '$');
    const value = sent.data[field];
    const missing = value === undefined || value === null || value === '';
    errors[field] = [missing ? `The ${field} field is required.` : `The ${field} field is not valid.`];
  }
  return validationProblem(errors);
}

/** The body of a refund. The amount is in kobo. */
export const refundRequestSchema = z.object({
  gateway_transaction_ref: z.string().min(1),
  transaction_ref: z.string().min(1),
  refund_type: z.enum(['Full', 'Partial']),
  reason_for_refund: z.string().min(1),
  refund_amount: koboSchema.nullish(),
});
