import { expect, test } from 'vitest';
import { reachOf } from './testing/reach.ts';

/** Facts of one gateway, and its error codes with the documents' sections: there are as many of these as gateways, and they are alike. */
const GATEWAY_FACTS = /packages\/gateways\/src\/[^/]+\/(facts|error-codes|settings)\.ts$/;

/** Maximum number of files that each may load, beside the facts of gateways: a person who changes it has to read them. */
// Reports of the bank, files, discrepancies, approvals, closed months and what arrived late are in the reporting process and nowhere else.
test.each([
  ['packages/payments/src/path/initiate/initiate.ts', 61],
  ['packages/api/src/rest/initiate-payment.ts', 100],
  ['packages/api/src/trpc/payments.ts', 128],
  ['packages/api/src/reporting/reporting.ts', 197],
])('%s loads at most %i files', (entry, files) => {
  const others = reachOf(entry).files.filter((file) => !GATEWAY_FACTS.test(file));
  expect(others.length).toBeLessThanOrEqual(files);
});
