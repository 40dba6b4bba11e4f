/* Which addresses that people enter may be called, for every package that calls them. */

export { allowedRange, hostProblem, PRIVATE_ADDRESSES_VARIABLE } from './addresses.ts';
export { checkedConnector } from './connector.ts';
export { ADDRESS_REFUSED, nameServerResolver, type Resolve, resolveBySystem, resolveHost } from './resolver.ts';
