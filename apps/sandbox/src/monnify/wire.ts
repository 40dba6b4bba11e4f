import { z } from 'zod';
import { json, type Reply } from '../server/router.ts';

/** Monnify's envelope of a success. */
export function success(responseBody: unknown): Reply {
  return json(200, { requestSuccessful: true, responseMessage: 'success', responseCode: '0', responseBody });
}

/** Monnify's envelope of a refusal. Nearly all have the code 99, and differ in their message. */
export function problem(status: number, responseMessage: string, responseCode = '99'): Reply {
  return json(status, { requestSuccessful: false, responseMessage, responseCode });
}

/** Neither status is documented: a refused reference is answered 422, an unknown one 404. */
export const duplicateReference = (): Reply => problem(422, 'Duplicate payment reference');

/** The answer about an unknown payment or transaction reference. */
export const transactionNotFound = (): Reply => problem(404, 'There is no transaction with the specified reference');

/** The answer about an unknown refund reference. */
export const refundNotFound = (): Reply => problem(404, 'There is no refund with the specified reference');

/** The answer to a body that is no JSON. */
export const badJson = (): Reply => problem(400, 'Invalid JSON in request body');

/** Naira with two decimals at most. */
function naira(minimum: number) {
  return z
    .number()
    .min(minimum)
    .max(10_000_000_000)
    .refine((amount) => Number(amount.toFixed(2)) === amount);
}

const textOrMissing = z.string().nullish();

/** The body of `init-transaction`. */
export const initSchema = z.object({
  amount: naira(20),
  customerName: z.string().min(3).max(200).nullish(),
  customerEmail: z.email(),
  paymentReference: z.string().min(1).max(200),
  paymentDescription: z.string().min(3).max(200),
  currencyCode: z.literal('NGN'),
  contractCode: z.string().min(1),
  redirectUrl: z.url({ protocol: /^https?$/ }).nullish(),
  paymentMethods: z.array(z.enum(['CARD', 'ACCOUNT_TRANSFER', 'USSD', 'PHONE_NUMBER', 'DIRECT_DEBIT'])).nullish(),
  metaData: z.record(z.string(), z.json()).nullish(),
  incomeSplitConfig: z.array(z.json()).nullish(),
});

/** A parsed request to initialise a transaction. */
export type InitRequest = z.infer<typeof initSchema>;

/** The body of `initiate-refund`. */
export const refundSchema = z.object({
  transactionReference: z.string().min(1),
  refundReference: z.string().min(1).max(200),
  refundAmount: naira(0),
  refundReason: z.string().min(1).max(64),
  customerNote: z.string().max(16).nullish(),
  destinationAccountNumber: textOrMissing,
  destinationAccountBankCode: textOrMissing,
});

const page = {
  page: z.coerce.number().int().min(0).max(1_000_000).default(0),
  size: z.coerce.number().int().min(1).max(100).default(10),
  /** Milliseconds since 1970. */
  from: z.coerce.number().int().min(0).optional(),
  to: z.coerce.number().int().min(0).optional(),
};

/** The body of `POST /api/v1/merchant/cards/charge`. */
export const cardChargeSchema = z.object({
  transactionReference: z.string(),
  collectionChannel: z.literal('API_NOTIFICATION'),
  card: z.object({
    number: z.string(),
    expiryMonth: z.string(),
    expiryYear: z.string(),
    cvv: z.string(),
    pin: z.string().optional(),
  }),
});

/** The query of the search among transactions. */
export const searchSchema = z.object({
  ...page,
  paymentReference: z.string().optional(),
  transactionReference: z.string().optional(),
  fromAmount: z.coerce.number().optional(),
  toAmount: z.coerce.number().optional(),
  customerName: z.string().optional(),
  customerEmail: z.string().optional(),
  paymentStatus: z.string().optional(),
});

/** The query of the list of refunds. */
export const refundListSchema = z.object({
  ...page,
  transactionReference: z.string().optional(),
  refundStatus: z.string().optional(),
});

/** One page of a list, as Spring's pages look. */
export function pageOf(content: readonly unknown[], query: { readonly page: number; readonly size: number }): Reply {
  const shown = content.slice(query.page * query.size, (query.page + 1) * query.size);
  const totalPages = Math.ceil(content.length / query.size);
  return success({
    content: shown,
    pageable: { offset: query.page * query.size, pageNumber: query.page, pageSize: query.size, paged: true, unpaged: false },
    totalElements: content.length,
    totalPages,
    last: query.page >= totalPages - 1,
    first: query.page === 0,
    sort: null,
    numberOfElements: shown.length,
    size: query.size,
    number: query.page,
    empty: shown.length === 0,
  });
}

/** The answer to a body or a query that breaks the rules: its first problem. */
export function invalid(error: z.ZodError): Reply {
  const [issue] = error.issues;
  const field = issue?.path.map(String).join('.') ?? '';
  return problem(400, field === '' ? 'Invalid request body' : `${field} is missing or invalid`);
}
