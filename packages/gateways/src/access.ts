import { allowedRange, hostProblem } from './addresses/addresses.ts';
import { maxPageBytes } from './connections.ts';
import { rowOf } from './error-code.ts';
import type { AccountAccess, CallOptions, Failure } from './gateway.ts';
import type { GatewayApi } from './gateway-api.ts';
import { callGateway, type FileBody, type WireReply, type WireRequest } from './http.ts';
import { callNotMade, failure } from './outcomes.ts';
import { createRedactor, type Redactor } from './redact.ts';

/** How to call a gateway for one account, or why it cannot be called. */
export type Access =
  | {
      readonly kind: 'ready';
      readonly baseUrl: string;
      readonly bearer: string;
      /** Takes the account's secrets out of what is recorded. */
      readonly redactor: Redactor;
    }
  | { readonly kind: 'unusable'; readonly failure: Failure };

/** A call for an account, which says where the service is and with which key it is called. */
export type AccountRequest = Omit<WireRequest, 'baseUrl' | 'bearer' | 'basic' | 'redactor'>;

const known = new WeakMap<AccountAccess, Access>();

/**
 * How to reach the service for this account, or why that would be wrong: no key, a key of the other mode (a test card must never
 * pay a live order), another base address for a live account. Worked out once per account.
 */
export function accessTo(api: GatewayApi, account: AccountAccess): Access {
  const before = known.get(account);
  if (before !== undefined) return before;
  const access = checkAccess(api, account);
  known.set(account, access);
  return access;
}

function checkAccess(api: GatewayApi, account: AccountAccess): Access {
  const { field: keyField, title: keyTitle } = api.key ?? { field: 'secretKey', title: 'secret key' };
  const bearer = account.credentials[keyField] ?? '';
  if (bearer === '') return unusable('invalid_credentials', `The ${api.title} account has no ${keyTitle}.`);
  const keyMode = modeOf(bearer, api);
  if (keyMode !== null && keyMode !== account.mode) {
    return unusable('invalid_credentials', `The ${api.title} account is ${account.mode}, its ${keyTitle} is a ${keyMode} key.`);
  }
  if (account.mode === 'live' && account.baseUrl !== null) {
    return unusable('not_supported', `A live ${api.title} account cannot have another base address.`);
  }
  const ownBaseUrl = account.mode === 'test' ? (api.testBaseUrl ?? api.baseUrl) : api.baseUrl;
  const baseUrl = (account.baseUrl ?? ownBaseUrl).replace(/\/+$/, '');
  if (!isServiceAddress(baseUrl)) return unusable('not_supported', `The ${api.title} account's base address cannot be used.`);
  const problem = account.baseUrl === null ? null : hostProblem(new URL(baseUrl).hostname, allowedRange(account.mode));
  if (problem !== null) return unusable('address_refused', `The ${api.title} account's base address ${problem}.`);
  const redactor = createRedactor(api.secretFields.map((field) => account.credentials[field] ?? ''));
  return { kind: 'ready', baseUrl, bearer, redactor };
}

function modeOf(key: string, { keyPrefixes }: GatewayApi): 'test' | 'live' | null {
  return Object.entries(keyPrefixes).find(([prefix]) => key.startsWith(prefix))?.[1] ?? null;
}

/** Calls a gateway with an account's key. Where the account cannot be used, the reply says why, and nothing is called. */
export async function callWithKey(api: GatewayApi, account: AccountAccess, request: AccountRequest): Promise<WireReply> {
  const access = accessTo(api, account);
  if (access.kind === 'unusable') return unusableReply(access.failure, request, api.baseUrl);
  return withKnownCode(api, await callGateway({ ...access, ...request }));
}

/** The reply, where its status decides already, with the code of the gateway's table by which its answer says why. */
export function withKnownCode(api: GatewayApi, reply: WireReply): WireReply {
  if (reply.kind !== 'failed' || reply.answer === undefined) return reply;
  const said = api.readRefusal(reply.answer);
  const row = said === null ? null : rowOf(api.errorCodes, said);
  return row === null ? reply : { ...reply, failed: { ...reply.failed, gatewayCode: row.code } };
}

/** A look-up. */
export function get(path: string, options: CallOptions): AccountRequest {
  return { method: 'GET', path, body: null, repeatable: true, ...options };
}

/** A page of a list. */
export function getPage(path: string, search: Readonly<Record<string, string>>, options: CallOptions): AccountRequest {
  return { ...get(`${path}?${new URLSearchParams(search)}`, options), maxBytes: maxPageBytes };
}

/** An action. `repeatable` as in {@link WireRequest}: a reference makes opening a checkout so, and nothing a refund. */
export function post(
  path: string,
  body: Readonly<Record<string, unknown>>,
  options: CallOptions & Pick<WireRequest, 'repeatable'>,
): AccountRequest {
  return { method: 'POST', path, body, ...options };
}

/** A change. `repeatable` as in {@link WireRequest}. */
export function put(
  path: string,
  body: Readonly<Record<string, unknown>>,
  options: CallOptions & Pick<WireRequest, 'repeatable'>,
): AccountRequest {
  return { method: 'PUT', path, body, ...options };
}

/** An upload, which may be repeated. */
export function postFile(path: string, file: FileBody, options: CallOptions): AccountRequest {
  return { method: 'POST', path, body: null, file, repeatable: true, ...options };
}

/** The reply to a call that was not made because the account cannot be used. `baseUrl` is only for the record. */
export function unusableReply(
  reason: Failure,
  { method, path }: Pick<WireRequest, 'method' | 'path'>,
  baseUrl: string,
): Extract<WireReply, { kind: 'failed' }> {
  return {
    kind: 'failed',
    failed: { ...reason, nothingDone: true },
    call: callNotMade(method, baseUrl + path),
    redactor: createRedactor([]),
  };
}

function isServiceAddress(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return false;
  return url.username === '' && url.password === '' && url.search === '' && url.hash === '';
}

function unusable(code: Failure['code'], message: string): Access {
  return { kind: 'unusable', failure: failure('our_configuration', code, message) };
}
