import { z } from 'zod';
import { json, type Reply } from '../server/router.ts';
import type { RefusedKey } from '../simulator.ts';

/** The envelope of most errors: a code and its description. */
export function problem(status: number, responseCode: string, responseDescription: string): Reply {
  return json(status, { responseCode, responseDescription });
}

/** The envelope of errors about a field of the request. */
export function invalid(code: string, message: string): Reply {
  return json(400, { errors: [{ code, message }] });
}

/** OAuth's envelope, of everything about the token. */
export function unauthorised(why: RefusedKey): Reply {
  switch (why) {
    case 'missing':
      return refusedToken('unauthorized', 'Full authentication is required to access this resource');
    case 'malformed':
      return refusedToken('invalid_request', 'The Authorization header is malformed');
    case 'unknown':
      return refusedToken('invalid_token', 'Bad credentials');
    case 'expired':
      return refusedToken('invalid_token', 'Access token expired');
    default:
      return why satisfies never;
  }
}

function refusedToken(error: string, description: string): Reply {
  return json(401, { error, error_description: description });
}

/** The answer to a body that is no JSON object. */
export const badJson = (): Reply => invalid('E01', 'The request body is not a JSON object');

/** The answer to a merchant code that is not the account's: an error, or a look-up's answer of amount 0. */
export const unknownMerchant = (status: 200 | 400): Reply =>
  status === 400
    ? problem(400, '20031', 'Invalid value for Product id or Merchant Code')
    : json(200, {
        Amount: 0,
        SplitAccounts: [],
        ResponseCode: '20031',
        ResponseDescription: 'Invalid value for Product id or Merchant Code',
      });

/** Kobo as an integer or a numeric string. */
export const koboSchema = z
  .union([z.number(), z.string().regex(/^\d{1,15}$/)])
  .transform(Number)
  .pipe(z.int().positive());

const text = z.string().min(1).max(200);

/** The body of `POST /paymentgateway/api/v1/paybill`. */
export const payBillSchema = z.object({
  merchantCode: text,
  payableCode: text,
  amount: koboSchema,
  redirectUrl: z.url({ protocol: /^https?$/ }),
  customerId: text,
  currencyCode: z.union([z.string(), z.number()]).transform(String),
  customerEmail: z.email().nullish(),
  transactionReference: z.string().nullish(),
});

/** A parsed request to open a payment page. */
export type PayBill = z.infer<typeof payBillSchema>;

/** The body of `POST /paymentgateway/api/v1/refunds`. */
export const refundRequestSchema = z.object({
  refundReference: z.string().min(1).max(100).nullish(),
  parentTransactionReference: z.string().min(1).max(100).nullish(),
  parentPaymentId: z.union([z.string(), z.number()]).transform(String).nullish(),
  refundType: z.enum(['PARTIAL', 'FULL']),
  refundAmount: koboSchema.nullish(),
  createdBy: z.string().nullish(),
  reasonsForRefund: z.string().nullish(),
});

/** The naira: the only currency of local payments. ISO 4217, numeric. */
export const nairaCode = '566';
