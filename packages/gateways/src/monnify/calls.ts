import { type AccountRequest, unusableReply } from '../access.ts';
import { callWithAccessToken, type LoginReply, loginTimeoutMs, tokenKeyOf } from '../access-token.ts';
import type { AccountAccess } from '../gateway.ts';
import { callGateway, type WireReply, type WireRequest } from '../http.ts';
import { protocolViolation } from '../outcomes.ts';
import { accessOf, baseUrl, title } from './account.ts';
import { loginSchema, refusalSchema } from './wire.ts';

/** Calls Monnify with the account's token. An account that cannot be used gives a failed reply, and nothing is called. */
export async function callMonnify(account: AccountAccess, request: AccountRequest): Promise<WireReply> {
  const access = accessOf(account);
  if (access.kind === 'unusable') return unusableReply(access.failure, request, baseUrl);
  const { apiKey = '', secretKey = '' } = account.credentials;
  const service = { baseUrl: access.baseUrl, redactor: access.redactor };
  const key = tokenKeyOf(access.baseUrl, apiKey, secretKey);
  return callWithAccessToken({ ...request, ...service }, key, () => logIn(service, apiKey, secretKey));
}

/** `POST /api/v1/auth/login`: the API key and the secret key by Basic, for a token that is good for about an hour. */
async function logIn(service: Pick<WireRequest, 'baseUrl' | 'redactor'>, apiKey: string, secretKey: string): Promise<LoginReply> {
  const reply = await callGateway({
    ...service,
    method: 'POST',
    path: '/api/v1/auth/login',
    bearer: '',
    basic: Buffer.from(`${apiKey}:${secretKey}`).toString('base64'),
    body: null,
    repeatable: true,
    timeoutMs: loginTimeoutMs,
  });
  if (reply.kind === 'failed') return reply;
  const issued = loginSchema.safeParse(reply.json);
  if (issued.success && reply.status < 400) {
    const { accessToken, expiresIn } = issued.data.responseBody;
    return { kind: 'token', token: accessToken, expiresInMs: expiresIn * 1000 };
  }
  const refused = refusalSchema.safeParse(reply.json);
  if (!refused.success) {
    return { kind: 'failed', failed: protocolViolation(title, reply), call: reply.call, redactor: reply.redactor };
  }
  const said = reply.redactor.text(refused.data.responseMessage ?? 'no reason given');
  return {
    kind: 'failed',
    failed: {
      class: 'our_configuration',
      code: 'invalid_credentials',
      message: `${title} refused the login: ${said}`,
      nothingDone: true,
    },
    call: reply.call,
    redactor: reply.redactor,
  };
}
