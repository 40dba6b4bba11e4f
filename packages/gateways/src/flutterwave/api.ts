import { type AccountRequest, callWithKey, unusableReply } from '../access.ts';
import type { AccountAccess } from '../gateway.ts';
import type { GatewayApi } from '../gateway-api.ts';
import type { WireReply } from '../http.ts';
import { failure } from '../outcomes.ts';
import { errorCodes } from './error-codes.ts';
import { title } from './settings.ts';
import { refusalSchema } from './wire.ts';

/** Flutterwave's v3 API: the same for test and live mode, the key decides. Test links lead to development hosts. */
export const api: GatewayApi = {
  title,
  errorCodes,
  baseUrl: 'https://api.flutterwave.com/v3',
  secretFields: ['secretKey', 'secretHash'],
  keyPrefixes: { 'FLWSECK_TEST-': 'test', 'FLWSECK-': 'live' },
  checkoutHosts: { live: ['checkout.flutterwave.com'], test: ['.dev-flutterwave.com', 'ravemodal-dev.herokuapp.com'] },
  readRefusal: ({ json }) => refusalSchema.safeParse(json).data ?? null,
};

/** Versions of the API that an account can be of. */
export const dialects = ['v3', 'v4'] as const;

/**
 * Calls v3 with the account's key. An account of v4 gives a failed reply, and nothing is called: that API has no hosted page in one call
 * (docs/decisions/flutterwave-v4.md).
 */
export async function callFlutterwave(account: AccountAccess, request: AccountRequest): Promise<WireReply> {
  if (account.credentials.dialect !== 'v4') return callWithKey(api, account, request);
  const reason = failure(
    'our_configuration',
    'not_supported',
    'Version 4 of Flutterwave’s API is not called yet: set the account to v3.',
  );
  return unusableReply(reason, request, api.baseUrl);
}
