import { expect, test } from 'vitest';
import { reachOf } from './testing/reach.ts';

/** Maximum of files and lines that each may load: a person who changes it has to read them. */
// Reports of the bank, files, discrepancies, approvals, closed months and what arrived late are in the reporting process and nowhere else.
test.each([
  ['packages/payments/src/initiate/initiate.ts', 54, 5_000],
  ['packages/api/src/rest/initiate-payment.ts', 99, 9_000],
  ['packages/api/src/trpc/payments.ts', 128, 12_100],
  ['packages/api/src/reporting/reporting.ts', 187, 20_100],
])('%s loads at most %i files and %i lines', (entry, files, lines) => {
  const reach = reachOf(entry);
  expect(reach.files.length).toBeLessThanOrEqual(files);
  expect(reach.lines).toBeLessThanOrEqual(lines);
});
