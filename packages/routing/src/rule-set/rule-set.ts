import { z } from 'zod';
import { type KeysByName, keysByName } from '../keys/match-keys.ts';
import { declaredSpelling, readMetadataValue } from '../keys/payment-keys.ts';
import { groupDigits, MAX_AMOUNT } from '../money.ts';
import { type MetadataCondition, type MetadataKey, PAYMENT_METHODS, type RuleSet, WEEKDAYS } from '../types.ts';
import { metadataConditionSchema, metadataKeysSchema, paymentKeysSchema, timeOfDaySchema, unique } from './key-schemas.ts';

/** Bounds of a rule-set document. */
export const RULE_SET_LIMITS = {
  rules: 10_000,
  accountsPerList: 50,
  countriesPerRule: 250,
  expectations: 1_000,
  /** Most combinations of rule, method and country in one document; bounds the cost of compiling. */
  combinations: 200_000,
} as const;

export { KEY_LIMITS, paymentKeysSchema } from './key-schemas.ts';

/** A parsed rule set, or every problem of the document. */
export type ParsedRuleSet =
  | { readonly ok: true; readonly ruleSet: RuleSet }
  | { readonly ok: false; readonly problems: readonly RuleSetProblem[] };

const amount = z.int('must be an integer').min(0, 'must not be negative').max(MAX_AMOUNT, 'must be at most 1,000,000,000,000');
const accountId = z.string('must be an account id').min(1, 'must not be empty').max(128, 'must have at most 128 characters');
const currencyCode = z.string('must be text').regex(/^[A-Z]{3}$/, 'must be an ISO 4217 code in capitals');
const countryCode = z.string('must be text').regex(/^[A-Z]{2}$/, 'must be an ISO 3166-1 alpha-2 code in capitals');
const method = z.enum(PAYMENT_METHODS, `must be one of ${PAYMENT_METHODS.join(', ')}`);
const name = z.string('must be text').trim().min(1, 'must not be empty').max(120, 'must have at most 120 characters');
const percent = z.int('must be an integer').min(0, 'must not be negative').max(100, 'must be at most 100');

function uniqueList<T extends z.ZodType<string>>(entry: T, smallest: number, largest: number) {
  return z
    .array(entry, 'must be a list')
    .min(smallest, 'must not be empty')
    .max(largest, `must have at most ${largest} entries`)
    .check(({ value, issues }) => {
      const report = (index: number) =>
        issues.push({ code: 'custom', input: value, path: [index], message: 'must not be repeated in the list' });
      unique(value, (item) => item, report);
    });
}

const accountList = uniqueList(accountId, 1, RULE_SET_LIMITS.accountsPerList);

const band = z
  .strictObject({ from: amount, to: amount.nullable() })
  .check(({ value, issues }) => {
    if (value.to === null || value.from <= value.to) return;
    issues.push({ code: 'custom', input: value, path: ['to'], message: 'must not be below "from"' });
  })
  .describe('Both ends inclusive, in the main currency unit; "to" null is open on top.');

const split = z
  .array(z.strictObject({ account: accountId, percent }), 'must be a list')
  .min(1, 'must not be empty')
  .max(RULE_SET_LIMITS.accountsPerList, `must have at most ${RULE_SET_LIMITS.accountsPerList} entries`)
  .check(({ value, issues }) => {
    const message = 'must not be repeated in the list';
    const report = (index: number) => issues.push({ code: 'custom', input: value, path: [index, 'account'], message });
    unique(value, (item) => item.account, report);
    const total = value.reduce((sum, item) => sum + item.percent, 0);
    if (total === 100) return;
    issues.push({ code: 'custom', input: value, path: [], message: `must have percentages that add up to 100, not ${total}` });
  });

const target = z.discriminatedUnion(
  'strategy',
  [
    z.strictObject({ strategy: z.literal('priority'), accounts: accountList }),
    z.strictObject({ strategy: z.literal('weighted'), split }),
    z.strictObject({
      strategy: z.literal('success_rate'),
      accounts: accountList,
      minSamples: z.int('must be an integer').min(1, 'must be at least 1').max(1_000_000, 'must be at most 1,000,000'),
      explorationPercent: z.int('must be an integer').min(0, 'must not be negative').max(50, 'must be at most 50'),
    }),
    z.strictObject({
      strategy: z.literal(['lowest_cost', 'expected_value']),
      accounts: accountList,
      fees: z.enum(['contract', 'effective'], 'must be one of contract, effective').exactOptional(),
    }),
  ],
  'must be one of priority, weighted, success_rate, lowest_cost, expected_value',
);

const rule = z.strictObject({
  ruleId: z.string('must be text').min(1, 'must not be empty').max(128, 'must have at most 128 characters'),
  name,
  enabled: z.boolean('must be true or false'),
  when: z.strictObject({
    currency: currencyCode,
    methods: uniqueList(method, 1, PAYMENT_METHODS.length),
    amount: band,
    countries: uniqueList(countryCode, 1, RULE_SET_LIMITS.countriesPerRule).nullable().exactOptional(),
    metadata: z
      .array(metadataConditionSchema, 'must be a list')
      .check(({ value, issues }) => {
        const message = 'must not be repeated in the rule';
        const report = (index: number) => issues.push({ code: 'custom', input: value, path: [index, 'key'], message });
        unique(value, ({ key }) => key, report);
      })
      .exactOptional(),
    weekdays: uniqueList(z.enum(WEEKDAYS, `must be one of ${WEEKDAYS.join(', ')}`), 1, WEEKDAYS.length).exactOptional(),
    hours: z
      .strictObject({ from: timeOfDaySchema, to: timeOfDaySchema })
      .check(({ value, issues }) => {
        if (value.from === '24:00')
          issues.push({ code: 'custom', input: value, path: ['from'], message: 'must be before 24:00' });
        if (value.from !== value.to) return;
        issues.push({ code: 'custom', input: value, path: ['to'], message: 'must be another time than "from"' });
      })
      .describe('Hours of the merchant\'s zone: "from" inclusive, "to" exclusive, past midnight where it is not later.')
      .exactOptional(),
    customer: z.enum(['new', 'returning'], 'must be new or returning').exactOptional(),
  }),
  then: target,
});

const expectation = z.strictObject({
  name,
  payment: z.strictObject({
    currency: currencyCode,
    amount: amount.min(1, 'must be at least 1'),
    method: method.nullable(),
    customerCountry: countryCode.nullable(),
    keys: paymentKeysSchema.exactOptional(),
  }),
  goesTo: accountList,
});

/** The shape of a rule set. {@link parseRuleSet} also checks what spans rules: unique ids and the number of combinations. */
export const ruleSetSchema = z.strictObject({
  version: z.int('must be an integer').min(0, 'must not be negative'),
  keys: metadataKeysSchema.exactOptional(),
  rules: z.array(rule, 'must be a list').max(RULE_SET_LIMITS.rules, `must have at most ${RULE_SET_LIMITS.rules} entries`),
  defaultOrder: uniqueList(accountId, 0, RULE_SET_LIMITS.accountsPerList),
  expectations: z
    .array(expectation, 'must be a list')
    .max(RULE_SET_LIMITS.expectations, `must have at most ${RULE_SET_LIMITS.expectations} entries`)
    .exactOptional(),
});

const ruleIds = z.object({ rules: z.array(z.object({ ruleId: z.string() })) });

/** JSON Schema (draft 2020-12) of a rule-set document. Sums, repeats and the order of band ends are not expressible in it; only {@link parseRuleSet} checks them. */
export function ruleSetJsonSchema(): Record<string, unknown> {
  return { ...z.toJSONSchema(ruleSetSchema, { io: 'input' }), title: 'Switchyard rule set' };
}

/**
 * Parses a rule document `{ keys?, rules, defaultOrder, expectations? }` from plain JSON as a rule set of version 0. The one parser of
 * stored, drafted and imported rules: a `version` in the document is ignored, because the version is the row's or the file's.
 * Reports every problem at once; unknown fields are problems.
 */
export function parseRuleDocument(document: unknown): ParsedRuleSet {
  const isObject = typeof document === 'object' && document !== null && !Array.isArray(document);
  return parseRuleSet(isObject ? { ...document, version: 0 } : document);
}

/** Parses declarations of metadata keys from plain JSON. Paths of problems begin with the key's place: `0.values.1`. */
export function parseMetadataKeys(
  json: unknown,
):
  | { readonly ok: true; readonly keys: readonly MetadataKey[] }
  | { readonly ok: false; readonly problems: readonly RuleSetProblem[] } {
  const parsed = metadataKeysSchema.safeParse(json, { reportInput: true });
  return parsed.success ? { ok: true, keys: parsed.data } : { ok: false, problems: parsed.error.issues.flatMap(problemsOf) };
}

/** Declarations of metadata keys as they were stored; null where they cannot be read. */
export function readMetadataKeys(stored: unknown): readonly MetadataKey[] | null {
  return metadataKeysSchema.safeParse(stored).data ?? null;
}

/** Parses a rule set with its version from plain JSON. Reports every problem at once; unknown fields are problems. */
export function parseRuleSet(json: unknown): ParsedRuleSet {
  const parsed = ruleSetSchema.safeParse(json, { reportInput: true });
  const problems = parsed.success ? [] : parsed.error.issues.flatMap(problemsOf);
  const ids = ruleIds.safeParse(json);
  if (ids.success) {
    const message = 'must not be repeated in the rule set';
    unique(
      ids.data.rules,
      (entry) => entry.ruleId,
      (index) => problems.push({ field: `rules.${index}.ruleId`, message }),
    );
  }
  if (parsed.success && countCombinations(parsed.data) > RULE_SET_LIMITS.combinations) {
    const most = groupDigits(RULE_SET_LIMITS.combinations);
    problems.push({ field: 'rules', message: `must spell out at most ${most} combinations of rule, method and country` });
  }
  if (parsed.success) problems.push(...keyProblems(parsed.data));
  if (parsed.success && problems.length === 0) return { ok: true, ruleSet: parsed.data };
  return { ok: false, problems };
}

function countCombinations(ruleSet: RuleSet): number {
  return ruleSet.rules.reduce((sum, { when }) => sum + when.methods.length * (when.countries?.length ?? 1), 0);
}

function problemsOf(issue: z.core.$ZodIssue): RuleSetProblem[] {
  const at = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ field: [...at, key].join('.'), message: 'is not a known field' }));
  }
  const missing = issue.code === 'invalid_type' && issue.input === undefined;
  const message = missing ? 'is required' : issue.message;
  return [{ field: at.join('.') || 'rule set', message: message.startsWith('Invalid input') ? 'must be an object' : message }];
}

/** A problem of a document. `${field} ${message}` reads as a sentence; `field` is a dotted path (`rules.0.when.amount.to`). */
export interface RuleSetProblem {
  readonly field: string;
  readonly message: string;
}

/** Conditions and expectations of a document that name an undeclared key, or a value outside its type. */
function keyProblems({ keys, rules, expectations = [] }: RuleSet): RuleSetProblem[] {
  const declared = keysByName(keys);
  return [
    ...rules.flatMap(({ when: { metadata = [] } }, rule) =>
      metadata.flatMap((condition, at) => conditionProblems(condition, declared, `rules.${rule}.when.metadata.${at}`)),
    ),
    ...expectations.flatMap(({ payment }, at) =>
      Object.entries(payment.keys?.metadata ?? {}).flatMap(([name, value]): RuleSetProblem[] => {
        const field = `expectations.${at}.payment.keys.metadata.${name}`;
        const key = declared.get(name);
        if (key === undefined) return [{ field, message: UNDECLARED }];
        return readMetadataValue(key, { [name]: value }) === undefined ? [{ field, message: describeType(key) }] : [];
      }),
    ),
  ];
}

const UNDECLARED = "must be declared among the document's keys";

function conditionProblems(condition: MetadataCondition, declared: KeysByName, path: string): RuleSetProblem[] {
  const key = declared.get(condition.key);
  if (key === undefined) return [{ field: `${path}.key`, message: UNDECLARED }];
  switch (condition.is) {
    case 'present':
    case 'absent':
      return [];
    case 'between':
      return key.type === 'integer' ? [] : [{ field: `${path}.is`, message: `must not be between: ${key.label} is no integer` }];
    case 'one_of':
    case 'none_of':
      if (key.type === 'integer') return [{ field: `${path}.is`, message: `must be between: ${key.label} is an integer` }];
      return condition.values.flatMap((value, at) =>
        isOfType(key, value) ? [] : [{ field: `${path}.values.${at}`, message: describeType(key) }],
      );
    default:
      return condition satisfies never;
  }
}

function isOfType(key: MetadataKey, value: string | boolean): boolean {
  if (typeof value === 'boolean') return key.type === 'boolean';
  return key.type === 'string' || (key.type === 'enum' && declaredSpelling(key, value) !== undefined);
}

function describeType(key: MetadataKey): string {
  switch (key.type) {
    case 'string':
      return 'must be text';
    case 'enum':
      return `must be one of ${key.values.join(', ')}`;
    case 'integer':
      return 'must be an integer';
    case 'boolean':
      return 'must be true or false';
    default:
      return key satisfies never;
  }
}
