import { allowedRange, hostProblem } from './addresses/addresses.ts';
import type { AccountAccess, Failure, Gateway } from './gateway.ts';
import { callGateway, type WireReply, type WireRequest } from './http.ts';
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

type Identity = Pick<Gateway, 'title' | 'baseUrl' | 'secretFields'> & {
  /** Base address for test accounts without one of their own, where the gateway tests on another host. */
  readonly testBaseUrl?: string;
  /** Mode that a key names, or null when it names none. */
  readonly keyMode: (key: string) => 'test' | 'live' | null;
  /** The credential that identifies the account, where it is not `secretKey`, and what people call it: `API key`. */
  readonly key?: { readonly field: string; readonly title: string };
};

const known = new WeakMap<AccountAccess, Access>();

/**
 * How to reach the service for this account, or why that would be wrong: no key, a key of the other mode (a test card must never
 * pay a live order), another base address for a live account. Worked out once per account.
 */
export function accessTo(gateway: Identity, account: AccountAccess): Access {
  const before = known.get(account);
  if (before !== undefined) return before;
  const access = checkAccess(gateway, account);
  known.set(account, access);
  return access;
}

function checkAccess(gateway: Identity, account: AccountAccess): Access {
  const { field: keyField, title: keyTitle } = gateway.key ?? { field: 'secretKey', title: 'secret key' };
  const bearer = account.credentials[keyField] ?? '';
  if (bearer === '') return unusable('invalid_credentials', `The ${gateway.title} account has no ${keyTitle}.`);
  const keyMode = gateway.keyMode(bearer);
  if (keyMode !== null && keyMode !== account.mode) {
    return unusable(
      'invalid_credentials',
      `The ${gateway.title} account is ${account.mode}, its ${keyTitle} is a ${keyMode} key.`,
    );
  }
  if (account.mode === 'live' && account.baseUrl !== null) {
    return unusable('not_supported', `A live ${gateway.title} account cannot have another base address.`);
  }
  const ownBaseUrl = account.mode === 'test' ? (gateway.testBaseUrl ?? gateway.baseUrl) : gateway.baseUrl;
  const baseUrl = (account.baseUrl ?? ownBaseUrl).replace(/\/+$/, '');
  if (!isServiceAddress(baseUrl)) return unusable('not_supported', `The ${gateway.title} account's base address cannot be used.`);
  const problem = account.baseUrl === null ? null : hostProblem(new URL(baseUrl).hostname, allowedRange(account.mode));
  if (problem !== null) return unusable('address_refused', `The ${gateway.title} account's base address ${problem}.`);
  const redactor = createRedactor(gateway.secretFields.map((field) => account.credentials[field] ?? ''));
  return { kind: 'ready', baseUrl, bearer, redactor };
}

/** Calls a gateway for an account. Where the account cannot be used, the reply says why, and nothing is called. */
export async function callWithAccess(access: Access, request: AccountRequest, baseUrl: string): Promise<WireReply> {
  if (access.kind === 'unusable') return unusableReply(access.failure, request, baseUrl);
  return callGateway({ ...access, ...request });
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
