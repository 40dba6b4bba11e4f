import { createLoader, parseAsString, parseAsStringLiteral } from 'nuqs/server';

/** What the address says of the page: the account open beside the list, and what is being done. */
export const gatewaysParsers = {
  account: parseAsString,
  do: parseAsStringLiteral(['connect', 'edit', 'rotate'] as const),
};

export const loadGatewaysPage = createLoader(gatewaysParsers);
