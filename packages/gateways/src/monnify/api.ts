import { type AccountRequest, accessTo, unusableReply, withKnownCode } from '../access.ts';
import { callWithAccessToken, logInByPassword, tokenKeyOf } from '../access-token.ts';
import type { AccountAccess } from '../gateway.ts';
import type { GatewayApi } from '../gateway-api.ts';
import type { WireReply } from '../http.ts';
import { errorCodes } from './error-codes.ts';
import { loginSchema, refusalSchema } from './wire.ts';

/** Monnify's API: the live service and the sandbox have hosts of their own. */
export const api: GatewayApi = {
  title: 'Monnify',
  errorCodes,
  baseUrl: 'https://api.monnify.com',
  testBaseUrl: 'https://sandbox.monnify.com',
  // Monnify repeats the API key in answers; it has no place in a record either.
  secretFields: ['secretKey', 'apiKey', 'contractCode'],
  keyPrefixes: { MK_TEST_: 'test', MK_PROD_: 'live' },
  key: { field: 'apiKey', title: 'API key' },
  // Pages of checkouts are at `sandbox.sdk.monnify.com` in test mode; the live host is documented nowhere.
  checkoutHosts: { live: ['.monnify.com'], test: [] },
  readRefusal: ({ json }) => refusalSchema.safeParse(json).data ?? null,
};

/**
 * Calls Monnify with the account's token, which `POST /api/v1/auth/login` issues for about an hour. An account that cannot be used gives
 * a failed reply, and nothing is called.
 */
export async function callMonnify(account: AccountAccess, request: AccountRequest): Promise<WireReply> {
  const access = accessTo(api, account);
  if (access.kind === 'unusable') return unusableReply(access.failure, request, api.baseUrl);
  const { apiKey = '', secretKey = '' } = account.credentials;
  const { baseUrl, redactor } = access;
  const login = { baseUrl, redactor, path: '/api/v1/auth/login', user: apiKey, password: secretKey };
  const reply = await callWithAccessToken({ ...request, baseUrl, redactor }, tokenKeyOf(baseUrl, apiKey, secretKey), () =>
    logInByPassword(api, login, loginSchema, ({ responseBody }) => ({
      token: responseBody.accessToken,
      expiresInSeconds: responseBody.expiresIn,
    })),
  );
  return withKnownCode(api, reply);
}
