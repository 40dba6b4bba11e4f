import { createLoader, parseAsString, parseAsStringLiteral } from 'nuqs/server';

/** The page's state in the URL: the account open beside the list, and the open dialog. */
export const gatewaysParsers = {
  account: parseAsString,
  do: parseAsStringLiteral(['connect', 'edit', 'rotate'] as const),
};

/** Reads the page's state from the URL, on the server. */
export const loadGatewaysPage = createLoader(gatewaysParsers);
