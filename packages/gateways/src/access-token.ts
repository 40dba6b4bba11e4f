import { createHash } from 'node:crypto';
import type { z } from 'zod';
import { readSuccess } from './answers.ts';
import type { GatewayApi } from './gateway-api.ts';
import { callGateway, type WireReply, type WireRequest } from './http.ts';
import { callNotMade, protocolViolation } from './outcomes.ts';
import { createRedactor, type Redactor } from './redact.ts';

/** Most milliseconds of one login. Calls that wait for it keep their own, shorter limits. */
export const loginTimeoutMs = 10_000;

/** A token is renewed this long before it expires, or after nine tenths of a shorter life. Until it expires calls go on with it. */
const renewalMarginMs = 300_000;
/** A token that would expire while a call is on its way is not sent any more. */
const expiryMarginMs = 5000;
const maxTokens = 10_000;

/** Result of a login: a token and its time to live, or the failed call. */
export type LoginReply =
  | { readonly kind: 'token'; readonly token: string; readonly expiresInMs: number }
  | Extract<WireReply, { kind: 'failed' }>;

/** One login at a gateway, within {@link loginTimeoutMs}. Must not throw. */
export type Login = () => Promise<LoginReply>;

/** Tokens live in this process's memory only. */
const tokens = new Map<string, KeptToken>();
const loginsUnderWay = new Map<string, Promise<LoginReply>>();

interface KeptToken {
  readonly token: string;
  readonly renewAt: number;
  readonly expiresAt: number;
}

/** The key under which an account's token is kept: a digest of its base address and of the credentials it logs in with. */
export function tokenKeyOf(baseUrl: string, ...credentials: readonly string[]): string {
  return createHash('sha256')
    .update(JSON.stringify([baseUrl, ...credentials]))
    .digest('base64');
}

/**
 * The token of the account with that key: the kept one, or a new one by `login`. However many calls need a token at the same time, one
 * login is made, and all of them get its reply. A token about to expire is renewed in the background; a failed login is not
 * remembered, so that the next call tries again.
 */
export async function accessToken(key: string, login: Login): Promise<LoginReply> {
  const kept = tokens.get(key);
  const now = performance.now();
  if (kept === undefined || now >= kept.expiresAt) return logIn(key, login);
  // A renewal that fails changes nothing: the token is good until it expires.
  if (now >= kept.renewAt) logIn(key, login).catch(() => undefined);
  return { kind: 'token', token: kept.token, expiresInMs: kept.expiresAt - now };
}

/** Where and with what an account logs in. */
type LoginRequest = Pick<WireRequest, 'baseUrl' | 'redactor' | 'path'> & Partial<Pick<WireRequest, 'basic' | 'headers' | 'body'>>;

/**
 * A login by `POST`: `read` gets the answer that `schema` describes. An error that the gateway states means that it does not accept the
 * credentials.
 */
export async function logInBy<Schema extends z.ZodType>(
  api: GatewayApi,
  login: LoginRequest,
  schema: Schema,
  read: (issued: z.output<Schema>) => { readonly token: string; readonly expiresInMs: number },
): Promise<LoginReply> {
  const reply = await callGateway({
    body: null,
    ...login,
    method: 'POST',
    bearer: '',
    repeatable: true,
    timeoutMs: loginTimeoutMs,
  });
  if (reply.kind === 'failed') return reply;
  const issued = readSuccess(schema, reply);
  if (issued !== null) return { kind: 'token', ...read(issued) };
  const { call, redactor } = reply;
  const refused = api.readRefusal(reply);
  if (refused === null) return { kind: 'failed', failed: protocolViolation(api.title, reply), call, redactor };
  const message = `${api.title} refused the login: ${redactor.text(refused.message ?? 'no reason given').slice(0, 300)}`;
  return {
    kind: 'failed',
    failed: { class: 'our_configuration', code: 'invalid_credentials', message, nothingDone: true },
    answer: { status: reply.status, json: reply.json },
    call,
    redactor,
  };
}

/** {@link logInBy} with a user name and a password (Basic), and no body. */
export function logInByPassword<Schema extends z.ZodType>(
  api: GatewayApi,
  login: Pick<WireRequest, 'baseUrl' | 'redactor' | 'path'> & { readonly user: string; readonly password: string },
  schema: Schema,
  read: (issued: z.output<Schema>) => { readonly token: string; readonly expiresInSeconds: number },
): Promise<LoginReply> {
  const { user, password, ...service } = login;
  const basic = Buffer.from(`${user}:${password}`, 'utf8').toString('base64');
  return logInBy(api, { ...service, basic }, schema, (issued) => {
    const { token, expiresInSeconds } = read(issued);
    return { token, expiresInMs: expiresInSeconds * 1000 };
  });
}

/** Forgets a token the gateway refused. A newer one that has replaced it meanwhile is kept. */
export function dropAccessToken(key: string, token: string): void {
  if (tokens.get(key)?.token === token) tokens.delete(key);
}

/**
 * {@link callGateway} for gateways whose calls carry a token that a login answers. A call whose token is refused (401) is made once more
 * with a new one: a refused call did nothing, so this holds for actions too. Login and calls together take no more than
 * `request.timeoutMs`. When the login fails, the reply is its failure and its record, and nothing was done. The token appears in
 * no record.
 */
export async function callWithAccessToken(
  request: Omit<WireRequest, 'bearer' | 'basic'>,
  key: string,
  login: Login,
): Promise<WireReply> {
  const started = performance.now();
  const remaining = () => request.timeoutMs - (performance.now() - started);
  const first = await withinDeadline(accessToken(key, login), request, remaining());
  if (first.kind === 'failed') return first;
  const reply = await callGateway(withToken(request, first.token, remaining()));
  if (reply.kind !== 'failed' || reply.call.httpStatus !== 401) return reply;
  dropAccessToken(key, first.token);
  // A sending lost before the refused one may have taken effect, so the call is not made again.
  if (!reply.failed.nothingDone || remaining() <= 0) return reply;
  const second = await withinDeadline(accessToken(key, login), request, remaining());
  if (second.kind === 'failed') return second;
  return callGateway(withToken(request, second.token, remaining()));
}

function logIn(key: string, login: Login): Promise<LoginReply> {
  const underWay = loginsUnderWay.get(key);
  if (underWay !== undefined) return underWay;
  const startedAt = performance.now();
  const started = login()
    .then((reply) => {
      if (reply.kind === 'token') keep(key, reply.token, startedAt, reply.expiresInMs);
      return reply;
    })
    .finally(() => loginsUnderWay.delete(key));
  loginsUnderWay.set(key, started);
  return started;
}

function keep(key: string, token: string, startedAt: number, lifetimeMs: number): void {
  tokens.delete(key);
  // Not a number is no life either.
  if (!(lifetimeMs > 0)) return;
  const tenth = lifetimeMs / 10;
  tokens.set(key, {
    token,
    renewAt: startedAt + lifetimeMs - Math.min(renewalMarginMs, tenth),
    expiresAt: startedAt + lifetimeMs - Math.min(expiryMarginMs, tenth / 2),
  });
  if (tokens.size <= maxTokens) return;
  const [oldest] = tokens.keys();
  if (oldest !== undefined) tokens.delete(oldest);
}

function withToken(request: Omit<WireRequest, 'bearer' | 'basic'>, token: string, timeoutMs: number): WireRequest {
  return { ...request, bearer: token, timeoutMs, redactor: alsoRedacting(request.redactor, token) };
}

function alsoRedacting(redactor: Redactor, token: string): Redactor {
  const tokens = createRedactor([token]);
  return { text: (text) => tokens.text(redactor.text(text)), json: (value) => tokens.json(redactor.json(value)) };
}

/** The login's reply, or a failure when the time of the call that waits for it runs out first. The login goes on for others. */
async function withinDeadline(
  login: Promise<LoginReply>,
  request: Omit<WireRequest, 'bearer' | 'basic'>,
  remainingMs: number,
): Promise<LoginReply> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<LoginReply>((resolve) => {
    timer = setTimeout(() => resolve(noTokenInTime(request)), Math.max(0, remainingMs));
  });
  const reply = await Promise.race([login, tooLate]);
  clearTimeout(timer);
  // Only the login failed: the call itself was not sent, or was refused for its token.
  return reply.kind === 'failed' ? { ...reply, failed: { ...reply.failed, nothingDone: true } } : reply;
}

function noTokenInTime(request: Omit<WireRequest, 'bearer' | 'basic'>): Extract<WireReply, { kind: 'failed' }> {
  const url = request.redactor.text(request.baseUrl + request.path);
  return {
    kind: 'failed',
    failed: {
      class: 'provider_fault',
      code: 'timeout',
      message: 'The gateway did not answer the login in time.',
      nothingDone: true,
    },
    call: { ...callNotMade(request.method, url), latencyMs: Math.round(request.timeoutMs) },
    redactor: request.redactor,
  };
}
