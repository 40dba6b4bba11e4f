import { lookup, Resolver } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import type { Mode } from '@switchyard/db/client';
import { mayConnectTo } from './addresses.ts';

/** Resolves a name to all its addresses, or rejects. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** Error code of a connection to a forbidden address. */
export const ADDRESS_REFUSED = 'ADDRESS_REFUSED';

const QUESTION_TIMEOUT_MS = 2_000;
const QUESTION_TRIES = 2;

/** The resolver of a mode: name servers in live mode, the operating system in test mode. */
export function resolverOf(mode: Mode): Resolve {
  if (mode === 'test') return async (hostname) => (await lookup(hostname, { all: true })).map(({ address }) => address);
  // The operating system's resolver uses a thread per lookup, of which four slow name servers would block all.
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
 * Resolves a name for a connection and allows it only when all of its addresses are allowed: the connection uses the checked
 * address, even if the name server answers differently a moment later.
 */
export function checkedLookup(mode: Mode, resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (first === undefined || !addresses.every((address) => mayConnectTo(address, mode))) {
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

/** The error of a host name that resolves to an address deliveries must not reach. */
export function addressRefused(): NodeJS.ErrnoException {
  return Object.assign(new Error('the address is not public'), { code: ADDRESS_REFUSED });
}
