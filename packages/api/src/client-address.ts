import { channel } from 'node:diagnostics_channel';
import { IncomingMessage } from 'node:http';
import { z } from 'zod';

/** Where a request's address stands for our own handlers. What a caller sends under this name is replaced. */
export const ADDRESS_HEADER = 'x-switchyard-client-address';

const PROXIES_MAX = 10;
let isWatching = false;

const proxiesSchema = z.coerce.number().int().min(0).max(PROXIES_MAX);

/**
 * Writes down, for every request this process takes, where it came from: the other end of its connection, or, behind proxies of ours,
 * the address that the outermost of them saw. `SWITCHYARD_TRUSTED_PROXIES` says how many there are, none by default; the list that
 * callers send is their own word and counts only as far as proxies have added to it. Throws for a number that cannot be.
 */
export function watchClientAddresses(environment: Readonly<Record<string, string | undefined>>): void {
  const proxies = proxiesSchema.safeParse(environment.SWITCHYARD_TRUSTED_PROXIES ?? 0);
  if (!proxies.success) throw new Error(`SWITCHYARD_TRUSTED_PROXIES must be a number from 0 to ${PROXIES_MAX}`);
  if (isWatching) return;
  isWatching = true;
  // Published before any handler sees the request, whoever made the server: ours, or plain Next.
  channel('http.server.request.start').subscribe((message) => {
    const request = requestOf(message);
    if (request === null) return;
    const { remoteAddress } = request.socket;
    const address = addressOf(remoteAddress, request.headers['x-forwarded-for'], proxies.data);
    if (address === null) delete request.headers[ADDRESS_HEADER];
    else request.headers[ADDRESS_HEADER] = address;
  });
}

function requestOf(message: unknown): IncomingMessage | null {
  if (typeof message !== 'object' || message === null || !('request' in message)) return null;
  return message.request instanceof IncomingMessage ? message.request : null;
}

/** The address to go by: of those that came with a request and its connection, the one before our own proxies. */
export function addressOf(
  remoteAddress: string | undefined,
  forwardedFor: string | string[] | undefined,
  trustedProxies: number,
): string | null {
  if (remoteAddress === undefined) return null;
  const told = [forwardedFor ?? []].flat().flatMap((line) => line.split(','));
  const way = [...told.map((entry) => entry.trim()).filter((entry) => entry !== ''), remoteAddress];
  const address = way[Math.max(0, way.length - 1 - trustedProxies)] ?? remoteAddress;
  return address.replace(/^::ffff:(?=\d+\.)/, '').slice(0, 64);
}

/** Where a request came from, or null where nobody has watched it arrive. */
export function clientAddress(headers: Headers): string | null {
  return isWatching ? headers.get(ADDRESS_HEADER) : null;
}

/** A request's headers without an address that only the caller vouches for. */
export function withoutUnwatchedAddress(headers: Headers): Headers {
  const checked = new Headers(headers);
  if (!isWatching) checked.delete(ADDRESS_HEADER);
  return checked;
}
