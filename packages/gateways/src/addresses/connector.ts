import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { type AddressRange, hostProblem } from './addresses.ts';
import { addressRefused, checkedLookup, type Resolve } from './resolver.ts';

/**
 * A connector that opens connections to allowed addresses only; all others fail with `ADDRESS_REFUSED`. A name is judged by what it
 * resolves to for this connection, an address by itself: the operating system resolves none. The range is read at each connection.
 */
export function checkedConnector(
  range: () => AddressRange,
  resolve: Resolve,
  options: Omit<buildConnector.BuildOptions, 'lookup'>,
): buildConnector.connector {
  const connect = buildConnector({ ...options, lookup: checkedLookup(range, resolve) });
  return (target, callback) => {
    const literal = target.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0 && hostProblem(literal, range()) !== null) callback(addressRefused(), null);
    else connect(target, callback);
  };
}
