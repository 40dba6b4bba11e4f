import { expect, test } from 'vitest';
import { reachOf } from './testing/reach.ts';

/** Connectors, which every process loads: who asks for a gateway's name or for one of its facts reads none of them. */
const CONNECTORS = new Set(reachOf('packages/gateways/src/index.ts').files);

/** Maximum number of files that each may load, beside connectors: a person who changes it has to read them. */
// Reports of the bank, files, discrepancies, approvals, closed months and what arrived late are in the reporting process and nowhere else.
test.each([
  ['packages/payments/src/path/initiate/initiate.ts', 61],
  ['packages/api/src/rest/initiate-payment.ts', 97],
  ['packages/api/src/trpc/payments.ts', 128],
  ['packages/api/src/reporting/reporting.ts', 192],
])('%s loads at most %i files', (entry, files) => {
  const others = reachOf(entry).files.filter((file) => !CONNECTORS.has(file));
  expect(others.length).toBeLessThanOrEqual(files);
});
