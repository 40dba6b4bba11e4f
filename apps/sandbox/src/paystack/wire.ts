import { z } from 'zod';
import { json, type Reply } from '../server/router.ts';

/** Paystack's error envelope. */
export function problem(
  status: number,
  message: string,
  code: string,
  nextStep: string,
  type: 'validation_error' | 'api_error' = 'validation_error',
): Reply {
  return json(status, { status: false, message, meta: { nextStep }, type, code });
}

/** The answer to a reference that was used before. */
export const duplicateReference = (): Reply =>
  json(400, {
    status: false,
    message: 'Duplicate Transaction Reference',
    meta: { nextStep: 'Try and create the Transaction or Charge with a new reference' },
    type: 'validation_error',
    code: 'duplicate_reference',
    errorCodeMappingNotFound: false,
  });

/** The answer to a body that is no JSON object. */
export const badJson = (): Reply =>
  problem(400, 'Invalid JSON in request body', 'invalid_params', 'Send a JSON object with Content-Type application/json');

/** The answer about an unknown transaction; verify answers 400, the other calls 404. */
export const transactionNotFound = (status: 400 | 404): Reply =>
  problem(
    status,
    'Transaction reference not found',
    'transaction_not_found',
    "Ensure that you're passing the reference of a transaction that exists on this integration",
  );

/** Currencies that a transaction takes. */
export const supportedCurrencies = ['NGN', 'GHS', 'KES', 'ZAR', 'USD'] as const;

/** Kobo as an integer or a numeric string. */
export const koboSchema = z
  .union([z.number(), z.string().regex(/^\d{1,15}$/)])
  .transform(Number)
  .pipe(z.int().positive());

const textOrMissing = z.string().nullish();

/** The body of `POST /transaction/initialize`. */
export const initializeSchema = z.object({
  email: z.email(),
  amount: koboSchema,
  currency: z.enum(supportedCurrencies).nullish(),
  reference: z
    .string()
    .regex(/^[A-Za-z0-9.=-]{1,200}$/)
    .nullish(),
  callback_url: z.url({ protocol: /^https?$/ }).nullish(),
  channels: z.array(z.string()).nullish(),
  metadata: z.json().nullish(),
  first_name: textOrMissing,
  last_name: textOrMissing,
  phone: textOrMissing,
});

/** A parsed request to initialize a transaction. */
export type Initialize = z.infer<typeof initializeSchema>;

/** The body of `POST /refund`: a transaction by reference or id; without an amount all that is left is refunded. */
export const refundRequestSchema = z.object({
  transaction: z.union([z.string().min(1), z.int().positive()]),
  amount: koboSchema.nullish(),
  currency: z.string().nullish(),
  customer_note: textOrMissing,
  merchant_note: textOrMissing,
});

/** The answer to a body that breaks the rules of initialize: Paystack names one problem at a time. */
export function initializeProblem(body: unknown, error: z.ZodError): Reply {
  const sent = z.record(z.string(), z.unknown()).safeParse(body);
  if (!sent.success) return badJson();
  const field = String(error.issues[0]?.path[0] ?? '');
  for (const required of ['email', 'amount']) {
    const value = sent.data[required];
    if (value === undefined || value === null || value === '') {
      return problem(
        400,
        `${required === 'email' ? 'Email' : 'Amount'} is required`,
        'missing_params',
        `Provide ${required} in the request`,
      );
    }
  }
  switch (field) {
    case 'email':
      return problem(400, 'Invalid Email Address Passed', 'invalid_email_address', 'Ensure that the email address is valid');
    case 'amount':
      return problem(400, 'Invalid Amount Sent', 'invalid_amount', 'Send the amount in kobo: a positive integer');
    case 'reference':
      return problem(
        400,
        'Invalid character in transaction reference',
        'invalid_reference',
        'Only -, ., = and alphanumeric characters are allowed in a reference',
      );
    case 'currency':
      return problem(
        400,
        'Currency not supported by merchant',
        'unsupported_currency',
        `Use one of ${supportedCurrencies.join(', ')}`,
      );
    default:
      return problem(400, `Invalid value for ${field}`, 'invalid_params', `Check the value of ${field}`);
  }
}
