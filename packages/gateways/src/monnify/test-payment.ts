import { z } from 'zod';
import { post } from '../access.ts';
import { readSuccess } from '../answers.ts';
import type { AccountAccess, CheckoutSession } from '../gateway.ts';
import { api, callMonnify } from './api.ts';

const TIMEOUT_MS = 30_000;

/** https://developers.monnify.com/docs/test-cards; any expiry to come is taken. */
const TEST_CARD = { number: '4111111111111111', expiryMonth: '12', expiryYear: '2032', cvv: '123', pin: '1234' };

const chargedSchema = z.looseObject({
  requestSuccessful: z.literal(true),
  responseBody: z.looseObject({ status: z.string().max(60), message: z.string().max(300).nullish() }),
});

/**
 * Pays an open checkout with the test card that needs no one-time code: `POST /api/v1/merchant/cards/charge`, "Charge Card"
 * (https://developers.monnify.com/api). `paid`, or why it was not.
 */
export async function payMonnifyByTestCard(account: AccountAccess, session: CheckoutSession): Promise<string> {
  const body = {
    transactionReference: session.raw.transactionReference,
    collectionChannel: 'API_NOTIFICATION',
    card: TEST_CARD,
  };
  const reply = await callMonnify(
    account,
    post('/api/v1/merchant/cards/charge', body, { repeatable: false, timeoutMs: TIMEOUT_MS }),
  );
  if (reply.kind === 'failed') return reply.failed.message;
  const charged = readSuccess(chargedSchema, reply)?.responseBody;
  if (charged !== undefined) return charged.status === 'SUCCESS' ? 'paid' : `${charged.status} ${charged.message ?? ''}`.trim();
  return reply.redactor.text(api.readRefusal(reply)?.message ?? 'an answer that cannot be read');
}
