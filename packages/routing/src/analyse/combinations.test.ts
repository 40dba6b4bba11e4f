import { expect, it } from 'vitest';
import { aRule, aRuleSet, aTarget } from '../testing/samples.ts';
import type { MetadataKey } from '../types.ts';
import { combinationProblems } from './analyse.ts';

const target = aTarget('paystack-main');
const keys: MetadataKey[] = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, label: name, type: 'string' }));

it('allows thousands of rules that each name a value, and refuses combinations that cannot be checked', () => {
  const shops = Array.from({ length: 5_000 }, (_, at) =>
    aRule(`shop-${at}`, target, { metadata: [{ key: 'a', is: 'one_of', values: [`shop-${at}`] }] }),
  );
  expect(combinationProblems({ ...aRuleSet(shops), keys })).toEqual([]);
  const crossed = Array.from({ length: 200 }, (_, at) =>
    aRule(`r-${at}`, target, { metadata: [{ key: keys[at % 5]?.name ?? '', is: 'one_of', values: [`v-${at}`] }] }),
  );
  expect(combinationProblems({ ...aRuleSet(crossed), keys })).toMatchObject([{ field: 'rules' }]);
});
