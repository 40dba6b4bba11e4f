import { channel } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import { type Environment, readSettings, SETTINGS } from '@switchyard/runtime/settings';

/** Carries the client address to our own handlers. A value that a caller sends under this name is replaced. */
export const ADDRESS_HEADER = 'x-switchyard-client-address';

let isWatching = false;

const ADDRESS_SETTINGS = SETTINGS.pick({ SWITCHYARD_TRUSTED_PROXIES: true });

/**
 * Records the client address of every request of this process: the other end of the connection, or, behind our own proxies, the
 * address that the outermost proxy received. `SWITCHYARD_TRUSTED_PROXIES` is the number of proxies, 0 by default. Entries of
 * `X-Forwarded-For` are trusted only where a proxy appended them. Throws for an invalid number.
 */
export function watchClientAddresses(environment: Environment): void {
  const { SWITCHYARD_TRUSTED_PROXIES: proxies } = readSettings(ADDRESS_SETTINGS, environment);
  if (isWatching) return;
  isWatching = true;
  // Published before any handler receives the request, both in our own servers and in plain Next.
  channel('http.server.request.start').subscribe((message) => {
    const request = requestOf(message);
    if (request === null) return;
    const { remoteAddress } = request.socket;
    const address = addressOf(remoteAddress, request.headers['x-forwarded-for'], proxies);
    if (address === null) delete request.headers[ADDRESS_HEADER];
    else request.headers[ADDRESS_HEADER] = address;
  });
}

function requestOf(message: unknown): IncomingMessage | null {
  if (typeof message !== 'object' || message === null || !('request' in message)) return null;
  return message.request instanceof IncomingMessage ? message.request : null;
}

/** The client address: the last entry of `X-Forwarded-For` plus the connection that our own proxies did not add. */
export function addressOf(
  remoteAddress: string | undefined,
  forwardedFor: string | string[] | undefined,
  trustedProxies: number,
): string | null {
  if (remoteAddress === undefined) return null;
  const forwarded = [forwardedFor ?? []].flat().flatMap((line) => line.split(','));
  const hops = [...forwarded.map((entry) => entry.trim()).filter((entry) => entry !== ''), remoteAddress];
  const address = hops[Math.max(0, hops.length - 1 - trustedProxies)] ?? remoteAddress;
  return address.replace(/^::ffff:(?=\d+\.)/, '').slice(0, 64);
}

/** The client address of a request, or null when this process does not record addresses. */
export function clientAddress(headers: Headers): string | null {
  return isWatching ? headers.get(ADDRESS_HEADER) : null;
}

/** {@link clientAddress} of a request as plain data. */
export function plainClientAddress(headers: Readonly<Record<string, string>>): string | null {
  return isWatching ? (headers[ADDRESS_HEADER] ?? null) : null;
}

/** A request's headers without an address that only the caller supplied. */
export function withoutUnwatchedAddress(headers: Headers): Headers {
  const checked = new Headers(headers);
  if (!isWatching) checked.delete(ADDRESS_HEADER);
  return checked;
}
