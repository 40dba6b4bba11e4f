import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { type AddressRange, allowedRange, hostProblem, mayConnectTo } from './addresses.ts';

/** Resolves a name to all its addresses, or rejects. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Error code of a connection to a forbidden address. */
export const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

const QUESTION_TIMEOUT_MS = 2_000;
const QUESTION_TRIES = 2;

/** Resolves names as the operating system does. */
export const resolveBySystem: Resolve = async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address);

/** A resolver that asks the name servers: the operating system's uses a thread per lookup, of which four slow ones would block all. */
export function nameServerResolver(): Resolve {
  const resolver = new Resolver({ timeout: QUESTION_TIMEOUT_MS, tries: QUESTION_TRIES });
  return async (hostname) => {
    const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    const [refusal] = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
    if (addresses.length === 0) throw refusal;
    return addresses;
  };
}

/**
 * The addresses that the host of a URL resolves to, for {@link hostProblem} when a URL is saved. Empty for a literal address, for a name
 * that is refused in every mode, and for one that does not resolve within 2 s: its connections are checked all the same.
 */
export async function resolveHost(
  url: string | null | undefined,
  resolve: Resolve = resolveBySystem,
): Promise<readonly string[]> {
  const hostname = url === null || url === undefined ? '' : (URL.parse(url)?.hostname ?? '');
  if (hostname === '' || hostname.startsWith('[') || isIP(hostname) !== 0) return [];
  if (hostProblem(hostname, allowedRange('test')) !== null) return [];
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<readonly string[]>((done) => {
    timer = setTimeout(() => done([]), QUESTION_TIMEOUT_MS);
  });
  const resolved = await Promise.race([resolve(hostname).catch(() => []), tooLate]);
  clearTimeout(timer);
  return resolved;
}

/**
 * Resolves a name for a connection and allows it only when all of its addresses are allowed: the connection uses the checked
 * address, even if the name server answers differently a moment later. The range is read at each connection.
 */
export function checkedLookup(range: () => AddressRange, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every((address) => mayConnectTo(address, range()))) {
          callback(addressRefused(), '', 0);
        } else if (options.all === true) {
          callback(
            null,
            addresses.map((address) => ({ address, family: isIP(address) })),
          );
        } else callback(null, first, isIP(first));
      },
      (error: unknown) => callback(error instanceof Error ? error : new Error('the name was not resolved'), '', 0),
    );
  };
}

/** The error of a connection to an address that may not be called. */
export function addressRefused(): NodeJS.ErrnoException {
  return Object.assign(new Error('the address may not be called'), { code: ADDRESS_REFUSED });
}
