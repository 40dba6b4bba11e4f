import { z } from 'zod';
import { json, type Reply } from '../server/router.ts';

/** Flutterwave's error envelope. */
export function problem(status: number, message: string, extra: Record<string, unknown> = {}): Reply {
  return json(status, { status: 'error', message, data: null, ...extra });
}

/** The answer about an unknown transaction: 400, as at Flutterwave. */
export const transactionNotFound = (): Reply => problem(400, 'No transaction was found for this id');

/** Currencies that a payment link takes. */
export const supportedCurrencies = [
  'NGN',
  'GHS',
  'KES',
  'UGX',
  'TZS',
  'ZAR',
  'RWF',
  'ZMW',
  'XAF',
  'XOF',
  'EGP',
  'USD',
  'EUR',
  'GBP',
] as const;

/** Naira as a number or a numeric string, two decimals at most. */
export const nairaSchema = z
  .union([z.number(), z.string().regex(/^\d{1,13}(\.\d{1,2})?$/)])
  .transform(Number)
  .pipe(z.number().positive().max(10_000_000_000_000))
  .refine((amount) => Number(amount.toFixed(2)) === amount);

const textOrMissing = z.string().nullish();
const tries = z.coerce.number().int().min(1).max(100);
const minutes = z.coerce.number().int().min(1).max(1440);

/** The body of `POST /v3/payments`. Times are minutes. */
export const paymentSchema = z.object({
  tx_ref: z.string().min(1).max(100),
  amount: nairaSchema,
  currency: z.enum(supportedCurrencies).nullish(),
  redirect_url: z.url({ protocol: /^https?$/ }).nullish(),
  customer: z.object({ email: z.email(), name: textOrMissing, phonenumber: textOrMissing, phone_number: textOrMissing }),
  payment_options: textOrMissing,
  session_duration: minutes.nullish(),
  max_retry_attempt: tries.nullish(),
  configuration: z.object({ session_duration: minutes.nullish(), max_retry_attempt: tries.nullish() }).nullish(),
  link_expiration: z.iso.datetime({ offset: true, local: true }).nullish(),
  customizations: z.object({ title: textOrMissing, description: textOrMissing, logo: textOrMissing }).nullish(),
  meta: z.json().nullish(),
});

/** A parsed request for a payment link. */
export type Payment = z.infer<typeof paymentSchema>;

/** The body of a refund; without an amount all that is left is refunded. */
export const refundRequestSchema = z.object({ amount: nairaSchema.nullish(), comments: textOrMissing });

/** The answer to a body that breaks the rules of a payment: the first problem, in a sentence. */
export function paymentProblem(body: unknown, error: z.ZodError): Reply {
  const issue = error.issues[0];
  const path = issue?.path.map(String) ?? [];
  const missing = valueAt(body, path) === undefined;
  const name = path.join('.');
  if (name === '') return problem(400, 'Invalid request body');
  if (missing) return problem(400, `${name} is required`);
  if (name === 'currency') return problem(400, 'Currency is not supported');
  return problem(400, `${name} is invalid`);
}

function valueAt(body: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => {
    const record = z.record(z.string(), z.unknown()).safeParse(value);
    return record.success ? record.data[key] : undefined;
  }, body);
}
