import type { AccountAccess } from './gateway.ts';

const maxLength = 2048;

/**
 * True if a customer may be sent to a checkout address: https at one of the gateway's own hosts, or, for a test account that
 * points elsewhere, the host it points at over http or https. Never with user info, another scheme, or a character that
 * browsers read in ways of their own.
 */
export function isSafeCheckoutUrl(
  text: string,
  account: Pick<AccountAccess, 'mode' | 'baseUrl'>,
  hosts: { readonly live: readonly string[]; readonly test: readonly string[] },
): boolean {
  if (text.length > maxLength || !/^[\x21-\x5b\x5d-\x7e]+$/.test(text)) return false;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || url.hostname === '') return false;
  if (account.mode === 'test' && account.baseUrl !== null && isWeb(url)) {
    if (URL.parse(account.baseUrl)?.hostname === url.hostname) return true;
  }
  if (url.protocol !== 'https:' || url.port !== '') return false;
  const allowed = account.mode === 'live' ? hosts.live : [...hosts.live, ...hosts.test];
  return allowed.some((host) => (host.startsWith('.') ? url.hostname.endsWith(host) : url.hostname === host));
}

function isWeb(url: URL): boolean {
  return url.protocol === 'https:' || url.protocol === 'http:';
}
