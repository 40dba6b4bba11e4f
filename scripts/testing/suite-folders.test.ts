import { expect, it } from 'vitest';
import { suiteFolders } from './suite-folders.ts';

it('a change is tried by the suites of its folder, and fixtures by those that use them', () => {
  expect(suiteFolders(['packages/payments/src/refunds/send.ts', 'packages/gateways/src/kora/fixtures/a.json'])).toEqual([
    'packages/gateways/src/kora/',
    'packages/payments/src/refunds/',
  ]);
});

it('names a folder once, and none within another', () => {
  const files = ['packages/db/src/pool.ts', 'packages/db/src/audit/read.ts', 'packages/db/src/ids.ts'];
  expect(suiteFolders(files)).toEqual(['packages/db/src/']);
});

it('settings of the project alone bring no suite', () => {
  expect(suiteFolders(['package.json', 'README.md'])).toEqual([]);
});
