import { describe, expect, it } from 'vitest';
import { aRule, aRuleSet, aTarget } from '../testing/samples.ts';
import type { RuleTarget } from '../types.ts';
import { completeRulesOf } from './complete-rules.ts';
import { parseRuleDocument, parseRuleSet, ruleSetJsonSchema } from './rule-set.ts';

const good = aRuleSet([aRule('cards', aTarget('paystack-main'), { countries: ['NG'] })], ['paystack-main']);

/** The problems of a document, each as the sentence it makes. */
function problemsOf(document: unknown): string[] {
  const parsed = parseRuleSet(document);
  return parsed.ok ? [] : parsed.problems.map(({ field, message }) => `${field} ${message}`);
}

function withRule(change: object): unknown {
  return { ...good, rules: [{ ...good.rules[0], ...change }] };
}

function withWhen(change: object): unknown {
  return withRule({ when: { ...good.rules[0]?.when, ...change } });
}

function withTarget(target: RuleTarget): unknown {
  return aRuleSet([aRule('cards', target)]);
}

describe('a rule-set document', () => {
  it('is returned unchanged when it is valid, with countries given, null or absent', () => {
    for (const document of [good, withWhen({ countries: null }), aRuleSet([], [])]) {
      expect(parseRuleSet(JSON.parse(JSON.stringify(document)))).toEqual({ ok: true, ruleSet: document });
    }
  });

  it('has version 0 when it is read without one, independent of its own version', () => {
    const { version, ...withoutVersion } = good;
    const ruleSet = { ...good, version: 0 };
    for (const document of [withoutVersion, good, { ...good, version: 'seven' }]) {
      expect(parseRuleDocument(document)).toEqual({ ok: true, ruleSet });
    }
    for (const document of [null, 'rules', [good]]) {
      expect(parseRuleDocument(document)).toEqual({
        ok: false,
        problems: [{ field: 'rule set', message: 'must be an object' }],
      });
    }
  });

  it.each<[string, unknown]>([
    ['rule set must be an object', null],
    ['rule set must be an object', 'rules'],
    ['rules is required', { version: 1, defaultOrder: [] }],
    ['version must be an integer', { ...good, version: 1.5 }],
    ['colour is not a known field', { ...good, colour: 'teal' }],
    ['rules.0.colour is not a known field', withRule({ colour: 'teal' })],
    ['rules.0.name must not be empty', withRule({ name: '  ' })],
    ['rules.0.enabled must be true or false', withRule({ enabled: 'yes' })],
    ['rules.0.when.currency must be an ISO 4217 code in capitals', withWhen({ currency: 'ngn' })],
    ['rules.0.when.methods must not be empty', withWhen({ methods: [] })],
    ['rules.0.when.methods.1 must not be repeated in the list', withWhen({ methods: ['CARD', 'CARD'] })],
    ['rules.0.when.amount.from must be an integer', withWhen({ amount: { from: '0', to: null } })],
    ['rules.0.when.amount.from must not be negative', withWhen({ amount: { from: -1, to: null } })],
    ['rules.0.when.amount.to must be an integer', withWhen({ amount: { from: 0, to: 10.5 } })],
    ['rules.0.when.amount.to must not be below "from"', withWhen({ amount: { from: 11, to: 10 } })],
    ['rules.0.when.amount.to must be at most 1,000,000,000,000', withWhen({ amount: { from: 0, to: 1e12 + 1 } })],
    ['rules.0.when.countries must not be empty', withWhen({ countries: [] })],
    ['rules.0.when.countries.0 must be an ISO 3166-1 alpha-2 code in capitals', withWhen({ countries: ['Nigeria'] })],
    [
      'rules.0.then.strategy must be one of priority, weighted, success_rate, lowest_cost, expected_value',
      withRule(JSON.parse('{"then":{"strategy":"luck"}}')),
    ],
    ['rules.0.then.accounts must not be empty', withTarget(aTarget())],
    ['rules.0.then.accounts.1 must not be repeated in the list', withTarget(aTarget('a', 'a'))],
    [
      'rules.0.then.split must have percentages that add up to 100, not 99',
      withTarget({ strategy: 'weighted', split: [{ account: 'a', percent: 99 }] }),
    ],
    [
      'rules.0.then.split.1.account must not be repeated in the list',
      withTarget({
        strategy: 'weighted',
        split: [
          { account: 'a', percent: 50 },
          { account: 'a', percent: 50 },
        ],
      }),
    ],
    ['defaultOrder.2 must not be repeated in the list', { ...good, defaultOrder: ['a', 'b', 'a'] }],
    ['rules.1.ruleId must not be repeated in the rule set', { ...good, rules: [...good.rules, ...good.rules] }],
  ])('is refused with "%s"', (problem, document) => {
    expect(problemsOf(document)).toEqual([problem]);
  });

  it('is refused with every problem at once, also across rules', () => {
    const broken = { ...good.rules[0], name: '', when: { ...good.rules[0]?.when, amount: { from: 9, to: 1 }, methods: [] } };
    expect(problemsOf({ ...good, rules: [broken, { ...broken, enabled: 1 }], defaultOrder: ['a', 'a'] }).sort()).toEqual([
      'defaultOrder.1 must not be repeated in the list',
      'rules.0.name must not be empty',
      'rules.0.when.amount.to must not be below "from"',
      'rules.0.when.methods must not be empty',
      'rules.1.enabled must be true or false',
      'rules.1.name must not be empty',
      'rules.1.ruleId must not be repeated in the rule set',
      'rules.1.when.amount.to must not be below "from"',
      'rules.1.when.methods must not be empty',
    ]);
  });

  it('is refused when rules, methods and countries multiply beyond the limit', () => {
    const countries = Array.from({ length: 250 }, (_, index) =>
      String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26)),
    );
    const rules = Array.from({ length: 801 }, (_, index) => aRule(`r${index}`, aTarget('a'), { countries }));
    expect(problemsOf(aRuleSet(rules.slice(0, 800)))).toEqual([]);
    expect(problemsOf(aRuleSet(rules))).toEqual([
      'rules must spell out at most 200,000 combinations of rule, method and country',
    ]);
  });
});

describe('a document with rules under work', () => {
  const [cards] = good.rules;
  const unfinished = { ruleId: 'new', name: '', enabled: true, when: { ...cards?.when, methods: [] }, then: aTarget() };

  it('is read without them: they keep their place, switched off', () => {
    const read = completeRulesOf({ ...good, rules: [unfinished, cards, unfinished] });
    expect(read?.incomplete).toEqual([0, 2]);
    expect(read?.ruleSet.rules.map(({ enabled }) => enabled)).toEqual([false, true, false]);
    expect(read?.ruleSet).toMatchObject({ rules: [{}, cards, {}], defaultOrder: good.defaultOrder });
    expect(new Set(read?.ruleSet.rules.map(({ ruleId }) => ruleId)).size).toBe(3);
  });

  it('is read as it is when all are complete', () => {
    expect(completeRulesOf(good)).toEqual({ ruleSet: { ...good, version: 0 }, incomplete: [] });
  });

  it('is not read when something else is wrong', () => {
    for (const document of [null, 'rules', { rules: 'none', defaultOrder: [] }, { ...good, defaultOrder: ['a', 'a'] }]) {
      expect(completeRulesOf(document)).toBeNull();
    }
  });
});

describe('the JSON Schema of a rule-set document', () => {
  it('names the same fields, allows no others, and survives a round trip through JSON', () => {
    const schema = ruleSetJsonSchema();
    expect(JSON.parse(JSON.stringify(schema))).toEqual(schema);
    expect(schema).toMatchObject({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      additionalProperties: false,
      required: ['version', 'rules', 'defaultOrder'],
      properties: { rules: { maxItems: 10_000, items: { required: ['ruleId', 'name', 'enabled', 'when', 'then'] } } },
    });
  });
});
