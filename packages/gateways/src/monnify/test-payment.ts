import { z } from 'zod';
import { get, post } from '../access.ts';
import { readSuccess } from '../answers.ts';
import type { AccountAccess, CheckoutSession } from '../gateway.ts';
import type { WireReply } from '../http.ts';
import { api, callMonnify } from './api.ts';

const TIMEOUT_MS = 30_000;

/** https://developers.monnify.com/docs/test-cards; any expiry to come is taken. */
const TEST_CARD = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2032', cvv: '123', pin: '1234' };

const foundSchema = z.looseObject({ responseBody: z.looseObject({ transactionReference: z.string().max(100) }) });

const chargedSchema = z.looseObject({
  requestSuccessful: z.literal(true),
  responseBody: z.looseObject({ status: z.string().max(60), message: z.string().max(300).nullish() }),
});

/**
 * Pays an open checkout with the test card that needs no one-time code: `POST /api/v1/merchant/cards/charge`, "Charge Card"
 * (https://developers.monnify.com/api). `paid`, or why it was not.
 */
export async function payByTestCard(account: AccountAccess, { reference }: CheckoutSession): Promise<string> {
  const path = `/api/v2/merchant/transactions/query?paymentReference=${encodeURIComponent(reference)}`;
  const found = await callMonnify(account, get(path, { timeoutMs: TIMEOUT_MS }));
  const transaction = found.kind === 'failed' ? undefined : readSuccess(foundSchema, found)?.responseBody;
  if (transaction === undefined) return problemOf(found);
  const { transactionReference } = transaction;
  const body = { transactionReference, collectionChannel: 'API_NOTIFICATION', card: TEST_CARD };
  const reply = await callMonnify(
    account,
    post('/api/v1/merchant/cards/charge', body, { repeatable: false, timeoutMs: TIMEOUT_MS }),
  );
  const charged = reply.kind === 'failed' ? undefined : readSuccess(chargedSchema, reply)?.responseBody;
  if (charged === undefined) return problemOf(reply);
  return charged.status === 'SUCCESS' ? 'paid' : `${charged.status} ${charged.message ?? ''}`.trim();
}

function problemOf(reply: WireReply): string {
  if (reply.kind === 'failed') return reply.failed.message;
  return reply.redactor.text(api.readRefusal(reply)?.message ?? 'an answer that cannot be read');
}
