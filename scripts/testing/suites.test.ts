import { expect, it } from 'vitest';
import { suiteFolders } from './suites.ts';

const SUITES = [
  'packages/gateways/src/kora/kora.test.ts',
  'packages/webhooks/src/deliveries/send.test.ts',
  'packages/db/src/ids.test.ts',
];

it('a change is tried by the suites of its folder, or of the nearest above that has some', () => {
  expect(
    suiteFolders(['packages/gateways/src/kora/fixtures/a.json', 'packages/webhooks/src/events/announce.ts'], SUITES),
  ).toEqual(['packages/gateways/src/kora/', 'packages/webhooks/src/']);
});

it('names a folder once, and none within another', () => {
  const suites = [...SUITES, 'packages/db/src/audit/audit.test.ts'];
  expect(suiteFolders(['packages/db/src/pool.ts', 'packages/db/src/audit/read.ts'], suites)).toEqual(['packages/db/src/']);
});

it('settings of the project alone bring no suite', () => {
  expect(suiteFolders(['package.json', 'README.md'], SUITES)).toEqual([]);
});
