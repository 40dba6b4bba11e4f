import { type Access, type AccountRequest, accessTo, unusableReply, withKnownCode } from '../access.ts';
import { callWithAccessToken, logInByPassword, tokenKeyOf } from '../access-token.ts';
import type { AccountAccess, Failure } from '../gateway.ts';
import type { GatewayApi } from '../gateway-api.ts';
import type { WireReply } from '../http.ts';
import { failure } from '../outcomes.ts';
import { errorCodes } from './error-codes.ts';
import { addressFields, type Service, settings } from './settings.ts';
import { refusalSchema, tokenSchema } from './wire.ts';

/** Interswitch's API. `baseUrl` is the service that answers about payments; the others have hosts of their own, see {@link addressOf}. */
export const api: GatewayApi = {
  title: 'Interswitch',
  errorCodes,
  baseUrl: settings.hosts.live.collections,
  testBaseUrl: settings.hosts.test.collections,
  secretFields: ['secretKey', 'webhookSecret'],
  keyPrefixes: {},
  checkoutHosts: {
    live: ['newwebpay.interswitchng.com', 'webpay.interswitchng.com'],
    test: ['newwebpay.qa.interswitchng.com', 'qa.interswitchng.com', '.isw.la'],
  },
  // A state under HTTP 200 is no refusal.
  readRefusal: ({ json, status }) => (status < 400 ? null : (refusalSchema.safeParse(json).data ?? null)),
};

/**
 * Calls a service of Interswitch with the account's token, which the passport issues for its client id and secret key. Where the account
 * cannot be used, the reply says why, and nothing is called.
 */
export async function callInterswitch(account: AccountAccess, service: Service, request: AccountRequest): Promise<WireReply> {
  const access = accessTo(api, account);
  if (access.kind === 'unusable') return unusableReply(access.failure, request, api.baseUrl);
  const issuer = service === 'search' ? 'searchPassport' : 'passport';
  const passport = addressOf(issuer, account, access);
  if (passport === null) return unusableReply(noAddress(issuer), request, api.baseUrl);
  const address = addressOf(service, account, access);
  if (address === null) return unusableReply(noAddress(service), request, api.baseUrl);
  const { redactor } = access;
  const { clientId = '', secretKey = '' } = account.credentials;
  const path = '/passport/oauth/token?grant_type=client_credentials';
  const login = { baseUrl: passport, redactor, path, user: clientId, password: secretKey };
  const reply = await callWithAccessToken(
    { ...request, baseUrl: address, redactor },
    tokenKeyOf(passport, clientId, secretKey),
    () =>
      logInByPassword(api, login, tokenSchema, (issued) => ({ token: issued.access_token, expiresInSeconds: issued.expires_in })),
  );
  return withKnownCode(api, reply);
}

/**
 * Where a service is for this account: at the account's own base address, if it has one, else where the documentation says, else at the
 * address that Interswitch confirmed to the merchant. Null for a live account that was given none: a guessed host is never called.
 */
export function addressOf(service: Service, account: AccountAccess, access: Extract<Access, { kind: 'ready' }>): string | null {
  if (account.baseUrl !== null) return access.baseUrl;
  const confirmed = account.credentials[addressFields[service]?.field ?? ''] ?? '';
  return confirmed === '' ? settings.hosts[account.mode][service] : `https://${confirmed}.${settings.liveDomain}`;
}

/** Why a service of a live account without a confirmed address cannot be called. */
function noAddress(service: Service): Failure {
  const field = addressFields[service]?.title ?? 'subdomain';
  const message = `Interswitch publishes no such live address: enter the subdomain it confirmed as "${field}" in the account's settings.`;
  return failure('our_configuration', 'not_supported', message);
}
