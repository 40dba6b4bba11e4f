import { type AccountRequest, accessTo, unusableReply, withKnownCode } from '../access.ts';
import { callWithAccessToken, logInBy, tokenKeyOf } from '../access-token.ts';
import type { AccountAccess } from '../gateway.ts';
import type { GatewayApi } from '../gateway-api.ts';
import type { WireReply } from '../http.ts';
import { errorCodes } from './error-codes.ts';
import { refusalSchema, tokenSchema } from './wire.ts';

/** Nomba's API: the live service and the sandbox have hosts and keys of their own (https://developer.nomba.com/docs/api-basics/environment). */
export const api: GatewayApi = {
  title: 'Nomba',
  errorCodes,
  baseUrl: 'https://api.nomba.com',
  testBaseUrl: 'https://sandbox.nomba.com',
  secretFields: ['secretKey', 'webhookSecret'],
  keyPrefixes: {},
  key: { field: 'secretKey', title: 'client secret' },
  // Documented as `checkout.nomba.com`, observed as `pay.nomba.com`.
  checkoutHosts: { live: ['.nomba.com'], test: [] },
  readRefusal: ({ json }) => refusalSchema.safeParse(json).data ?? null,
};

/**
 * Calls Nomba with the account's token, which `POST /v1/auth/token/issue` issues for 30 minutes; the account's id is in a header of every call.
 * An account that cannot be used gives a failed reply, and nothing is called.
 */
export async function callNomba(account: AccountAccess, request: AccountRequest): Promise<WireReply> {
  const access = accessTo(api, account);
  if (access.kind === 'unusable') return unusableReply(access.failure, request, api.baseUrl);
  const { clientId = '', secretKey = '', accountId = '' } = account.credentials;
  const { baseUrl, redactor } = access;
  const headers = { ...request.headers, accountid: accountId };
  const body = { grant_type: 'client_credentials', client_id: clientId, client_secret: secretKey };
  const login = { baseUrl, redactor, path: '/v1/auth/token/issue', headers, body };
  const reply = await callWithAccessToken(
    { ...request, headers, baseUrl, redactor },
    tokenKeyOf(baseUrl, clientId, secretKey, accountId),
    () =>
      logInBy(api, login, tokenSchema, ({ data }) => ({
        token: data.access_token,
        // A clock of ours that is slow sends an expired token, which is replaced once.
        expiresInMs: Date.parse(data.expiresAt) - Date.now(),
      })),
  );
  return withKnownCode(api, reply);
}
