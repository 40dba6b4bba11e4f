import { type Access, type AccountRequest, unusableReply } from '../access.ts';
import { callWithAccessToken, type LoginReply, loginTimeoutMs, tokenKeyOf } from '../access-token.ts';
import type { AccountAccess } from '../gateway.ts';
import { callGateway, type WireReply } from '../http.ts';
import { protocolViolation } from '../outcomes.ts';
import { accessOf, addressOf, baseUrl, noAddress, title } from './account.ts';
import type { Service } from './settings.ts';
import { refusalSchema, tokenSchema } from './wire.ts';

const tokenPath = '/passport/oauth/token?grant_type=client_credentials';

/**
 * Calls a service of Interswitch with the account's token, which the passport issues for its client id and secret key. Where the account
 * cannot be used, the reply says why, and nothing is called.
 */
export async function callInterswitch(account: AccountAccess, service: Service, request: AccountRequest): Promise<WireReply> {
  const access = accessOf(account);
  if (access.kind === 'unusable') return unusableReply(access.failure, request, baseUrl);
  const issuer = service === 'search' ? 'searchPassport' : 'passport';
  const passport = addressOf(issuer, account, access);
  if (passport === null) return unusableReply(noAddress(issuer), request, baseUrl);
  const address = addressOf(service, account, access);
  if (address === null) return unusableReply(noAddress(service), request, baseUrl);
  const { clientId = '', secretKey = '' } = account.credentials;
  const call = { ...request, baseUrl: address, redactor: access.redactor };
  return callWithAccessToken(call, tokenKeyOf(passport, clientId, secretKey), () =>
    logIn(passport, `${clientId}:${secretKey}`, access),
  );
}

async function logIn(passport: string, client: string, access: Extract<Access, { kind: 'ready' }>): Promise<LoginReply> {
  const reply = await callGateway({
    method: 'POST',
    baseUrl: passport,
    path: tokenPath,
    bearer: '',
    basic: Buffer.from(client, 'utf8').toString('base64'),
    body: null,
    timeoutMs: loginTimeoutMs,
    redactor: access.redactor,
    repeatable: true,
  });
  if (reply.kind === 'failed') return reply;
  const issued = tokenSchema.safeParse(reply.json);
  if (issued.success && reply.status < 400) {
    return { kind: 'token', token: issued.data.access_token, expiresInMs: issued.data.expires_in * 1000 };
  }
  return { kind: 'failed', failed: refusedLogin(reply), call: reply.call, redactor: reply.redactor };
}

/** OAuth refuses a client with 401, or with 400 and a code: either way the credentials are not accepted. */
function refusedLogin(reply: Extract<WireReply, { kind: 'answer' }>): Extract<WireReply, { kind: 'failed' }>['failed'] {
  const refused = refusalSchema.safeParse(reply.json);
  if (!refused.success || reply.status < 400) return protocolViolation(title, reply);
  const said = reply.redactor.text(refused.data.message ?? refused.data.code).slice(0, 300);
  const message = `${title} issued no token for the account's client id and secret key: ${said}`;
  return { class: 'our_configuration', code: 'invalid_credentials', message, nothingDone: true };
}
