import fc from 'fast-check';
import { expect, test } from 'vitest';
import { describeFile } from './file-summary.ts';

test('a file is summarised by its rules, its origin and the accounts it names', () => {
  const ruleSet = {
    rules: [
      {
        then: {
          strategy: 'weighted',
          split: [
            { account: 'paystack-main', percent: 70 },
            { account: 'flutterwave-main', percent: 30 },
          ],
        },
      },
      { then: { strategy: 'priority', accounts: ['flutterwave-main'] } },
    ],
    defaultOrder: ['third'],
  };
  const text = JSON.stringify({ schemaVersion: 1, mode: 'test', version: 8, ruleSet });
  expect(describeFile(text)).toMatchObject({
    kind: 'rules',
    rules: 2,
    from: 'exported from version 8 of test mode',
    labels: ['paystack-main', 'flutterwave-main', 'third'],
  });
});

test('any input is summarised without an error', () => {
  expect(describeFile('{"ruleSet":').kind).toBe('not_json');
  expect(describeFile('[]').kind).toBe('other');
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (rules, defaultOrder) => {
      expect(describeFile(JSON.stringify({ ruleSet: { rules, defaultOrder } })).kind).toBe('rules');
    }),
  );
});
