import { createLoader, parseAsStringLiteral } from 'nuqs/server';

const MATCHES = ['any', 'email', 'phone', 'id'] as const;

/** The identifiers by which payments are the customer's, in the URL: any, or one alone. */
export const customerParsers = { by: parseAsStringLiteral(MATCHES).withDefault('any') };

/** Reads the page's state from the URL, on the server. */
export const loadCustomerPage = createLoader(customerParsers);
