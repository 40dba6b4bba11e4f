import type { RuleSet } from '@switchyard/routing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkDocument } from '../document/check-document.ts';
import { namedAccounts, renameAccounts } from '../document/named-accounts.ts';
import { formatRuleSetFile, readRuleSetFile, ruleSetFileJsonSchema, toRuleSetFile } from './rule-set-file.ts';

const about = { mode: 'test', schemaUrl: 'https://switchyard.example/schemas/rule-set-1.json' } as const;
const label = fc.stringMatching(/^[a-z][a-z0-9-]{0,11}$/);
const labels = fc.uniqueArray(label, { minLength: 1, maxLength: 6 });

/** Rule sets of every strategy over some accounts, by label. */
const ruleSets: fc.Arbitrary<RuleSet> = labels.chain((names) => {
  const accounts = fc.shuffledSubarray(names, { minLength: 1 });
  const target = fc.oneof(
    accounts.map((list) => ({ strategy: 'priority' as const, accounts: list })),
    accounts.map((list) => ({ strategy: 'lowest_cost' as const, accounts: list })),
    accounts.map((list) => ({ strategy: 'success_rate' as const, accounts: list, minSamples: 20, explorationPercent: 5 })),
    accounts.map((list) => ({
      strategy: 'weighted' as const,
      split: list.map((account, at) => ({ account, percent: at === 0 ? 100 : 0 })),
    })),
  );
  const when = fc.record({
    currency: fc.constantFrom('NGN', 'USD'),
    methods: fc.constantFrom<('CARD' | 'USSD')[]>(['CARD'], ['USSD', 'CARD']),
    amount: fc
      .tuple(fc.nat(1_000), fc.option(fc.nat(1_000)))
      .map(([from, width]) => ({ from, to: width === null ? null : from + width })),
    countries: fc.option(fc.constantFrom(['NG'], ['GH', 'KE'])),
  });
  const rule = fc.record({ name: label, enabled: fc.boolean(), when, then: target });
  const payment = fc.record({
    currency: fc.constant('NGN'),
    amount: fc.integer({ min: 1, max: 1_000 }),
    method: fc.constantFrom('CARD' as const, null),
    customerCountry: fc.option(fc.constant('NG')),
  });
  return fc.record(
    {
      version: fc.nat(99),
      rules: fc.array(rule, { maxLength: 5 }).map((rules) => rules.map((each, at) => ({ ruleId: `rule-${at}`, ...each }))),
      defaultOrder: fc.shuffledSubarray(names),
      expectations: fc.array(fc.record({ name: label, payment, goesTo: accounts }), { maxLength: 3 }),
    },
    { requiredKeys: ['version', 'rules', 'defaultOrder'] },
  );
});

const withIds = (ruleSet: RuleSet) => renameAccounts(ruleSet, (name) => `id-of-${name}`);
const labelOf = (accountId: string) => accountId.slice('id-of-'.length);

function exported(ruleSet: RuleSet): string {
  const made = toRuleSetFile(ruleSet, about, labelOf);
  if (!made.ok) throw new Error(JSON.stringify(made.problems));
  return formatRuleSetFile(made.file);
}

describe('a file', () => {
  test('restores every rule it was made of, whatever the accounts are called where it is read', () => {
    fc.assert(
      fc.property(ruleSets, (ruleSet) => {
        const read = readRuleSetFile(JSON.parse(exported(withIds(ruleSet))));
        expect(read).toEqual({ ok: true, ruleSet: { ...ruleSet, version: 0 } });
      }),
      { numRuns: 200 },
    );
  });

  test('is the same text for the same rules, and names no account by its id', () => {
    fc.assert(
      fc.property(ruleSets, (ruleSet) => {
        const text = exported(withIds(ruleSet));
        expect(exported(withIds(structuredClone(ruleSet)))).toBe(text);
        expect(text).not.toContain('id-of-');
        expect(text.endsWith('}\n')).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  test('of rules that name a missing account is not made; every path is reported', () => {
    fc.assert(
      fc.property(ruleSets, (ruleSet) => {
        const [gone] = namedAccounts(ruleSet);
        fc.pre(gone !== undefined);
        const made = toRuleSetFile(ruleSet, about, (account) => (account === gone?.account ? undefined : account));
        const places = namedAccounts(ruleSet).filter(({ account }) => account === gone?.account);
        expect(made.ok ? [] : made.problems.map(({ field }) => field)).toEqual(places.map(({ path }) => path));
      }),
      { numRuns: 50 },
    );
  });
});

const good = { schemaVersion: 1, mode: 'live', version: 3, ruleSet: { rules: [], defaultOrder: ['a'] } };

test.each([
  [null, ['file']],
  [[], ['file']],
  ['rules', ['file']],
  [{}, ['schemaVersion', 'mode', 'version', 'ruleSet']],
  [{ ...good, schemaVersion: 2 }, ['schemaVersion']],
  [{ ...good, mode: 'prod' }, ['mode']],
  [{ ...good, extra: 1 }, ['extra']],
  [{ ...good, ruleSet: [] }, ['ruleSet']],
  [{ ...good, ruleSet: { rules: [] } }, ['ruleSet.defaultOrder']],
  [{ ...good, ruleSet: { ...good.ruleSet, version: 1 } }, ['ruleSet.version']],
  [{ ...good, mode: 1, ruleSet: { rules: {}, defaultOrder: [''] } }, ['mode', 'ruleSet.rules', 'ruleSet.defaultOrder.0']],
])('%j is refused at every place that is wrong', (file, fields) => {
  const read = readRuleSetFile(file);
  expect(read.ok ? [] : read.problems.map(({ field }) => field)).toEqual(fields);
});

test('anything at all can be read without throwing', () => {
  fc.assert(fc.property(fc.jsonValue(), (value) => void readRuleSetFile(value)));
  fc.assert(fc.property(fc.jsonValue(), (value) => void checkDocument(value, [])));
});

test('the JSON Schema describes exactly the fields of a file', () => {
  const schema = ruleSetFileJsonSchema('https://switchyard.example/schemas/rule-set-1.json');
  expect(schema).toMatchObject({
    $id: 'https://switchyard.example/schemas/rule-set-1.json',
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    additionalProperties: false,
    required: ['schemaVersion', 'mode', 'version', 'ruleSet'],
    properties: {
      schemaVersion: { const: 1 },
      ruleSet: { additionalProperties: false, required: ['rules', 'defaultOrder'] },
    },
  });
});
