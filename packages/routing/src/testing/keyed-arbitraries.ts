import fc from 'fast-check';
import {
  type MetadataCondition,
  type MetadataKey,
  type MetadataValue,
  type PaymentKeys,
  type RoutablePayment,
  type Rule,
  type RuleSet,
  WEEKDAYS,
} from '../types.ts';
import { bandArbitrary, COUNTRIES, METHODS, paymentArbitrary, targetArbitrary } from './arbitraries.ts';
import { aRule } from './samples.ts';

/*
 * Worlds whose rules compare keys. Values are few, and meet often; some differ by case or by Unicode form alone.
 */

/** The keys that generated rule sets declare. */
export const KEYS: readonly MetadataKey[] = [
  { name: 'tier', label: 'Tier', type: 'enum', values: ['gold', 'silver', 'bronze'] },
  { name: 'shop', label: 'Shop', type: 'string', ignoreCase: true },
  { name: 'campaign', label: 'Campaign', type: 'string' },
  { name: 'items', label: 'Items', type: 'integer' },
  { name: 'gift', label: 'Gift', type: 'boolean' },
];

const CAMPAIGNS = ['été', 'e\u0301te\u0301', 'noel', 'Noel'];
const SHOPS = ['Ikeja', 'ikeja', 'Lekki', 'YABA'];
const orAbsent = fc.constantFrom({}, {}, { orAbsent: true }, { orAbsent: false });

function conditionOf(key: string, values: readonly (string | boolean)[]): fc.Arbitrary<MetadataCondition> {
  const some = fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 2 });
  return fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom('one_of' as const, 'none_of' as const), some, orAbsent)
        .map(([is, own, also]) => ({ key, is, values: own, ...also })),
    },
    { weight: 1, arbitrary: fc.constantFrom('present' as const, 'absent' as const).map((is) => ({ key, is })) },
  );
}

const edge = fc.integer({ min: -3, max: 8 });
const integerCondition: fc.Arbitrary<MetadataCondition> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(edge, fc.nat(5), fc.integer({ min: 0, max: 4 }), orAbsent).map(([from, width, open, also]) => ({
      key: 'items',
      is: 'between' as const,
      from: open === 0 ? null : from,
      to: open === 1 ? null : from + width,
      ...also,
    })),
  },
  { weight: 1, arbitrary: fc.constantFrom('present' as const, 'absent' as const).map((is) => ({ key: 'items', is })) },
);

const condition = fc.oneof(
  conditionOf('tier', ['gold', 'silver', 'bronze']),
  conditionOf('shop', SHOPS),
  conditionOf('campaign', CAMPAIGNS),
  conditionOf('gift', [true, false]),
  integerCondition,
);
const metadata = fc.uniqueArray(condition, { selector: ({ key }) => key, minLength: 1, maxLength: 2 });
const weekdays = fc.uniqueArray(fc.constantFrom(...WEEKDAYS), { minLength: 1, maxLength: 4 });
const time = fc.constantFrom('00:00', '06:00', '06:30', '18:00', '23:59');
const hours = fc
  .tuple(time, fc.constantFrom('00:00', '06:00', '18:00', '18:01', '24:00'))
  .filter(([from, to]) => from !== to)
  .map(([from, to]) => ({ from, to }));
const customer = fc.constantFrom('new' as const, 'returning' as const);

/** Conditions of a rule: any of those on keys may be missing. */
const when: fc.Arbitrary<Rule['when']> = fc
  .record({
    currency: fc.constantFrom('NGN', 'NGN', 'NGN', 'USD'),
    methods: fc.uniqueArray(fc.constantFrom(...METHODS), { minLength: 1, maxLength: 2 }),
    amount: bandArbitrary,
    countries: fc.option(fc.uniqueArray(fc.constantFrom(...COUNTRIES), { minLength: 1, maxLength: 2 }), { freq: 1 }),
    keys: fc.record({ metadata, weekdays, hours, customer }, { requiredKeys: [] }),
    keyed: fc.nat(3),
  })
  .map(({ keys, keyed, ...rest }) => (keyed === 0 ? rest : { ...rest, ...keys }));

const parts = fc.record({ when, target: targetArbitrary, enabled: fc.nat(9).map((roll) => roll > 0) });

/** Rule sets of up to so many rules that compare keys. */
export function keyedRuleSets(rules: number): fc.Arbitrary<RuleSet> {
  return fc.array(parts, { maxLength: rules, size: 'max' }).map((own) => ({
    version: 1,
    keys: KEYS,
    rules: own.map((part, index) => aRule(`rule-${index + 1}`, part.target, part.when, { enabled: part.enabled })),
    defaultOrder: [],
  }));
}

/** Metadata as merchants send it: some of another type, some that no rule names. */
export const sentMetadataArbitrary = fc.record(
  {
    tier: fc.constantFrom('gold', 'silver', 'bronze', 'Gold', 'platinum', 1, null),
    shop: fc.constantFrom(...SHOPS, 'lekki', 'other', 7, false),
    campaign: fc.constantFrom(...CAMPAIGNS, '', 'other'),
    items: fc.oneof(fc.integer({ min: -5, max: 15 }), fc.constantFrom('4', '-2', '4.0', 2.5, true, 'many')),
    gift: fc.constantFrom(true, false, 'true', 'false', 'yes', 1),
  },
  { requiredKeys: [] },
);

const keys: fc.Arbitrary<PaymentKeys> = fc.record(
  {
    metadata: fc.record(
      {
        tier: fc.constantFrom('gold', 'silver', 'bronze'),
        shop: fc.constantFrom('ikeja', 'lekki', 'yaba', 'other'),
        campaign: fc.constantFrom('été', 'noel', 'Noel', 'other'),
        items: fc.integer({ min: -5, max: 15 }),
        gift: fc.boolean(),
      },
      { requiredKeys: [] },
    ),
    time: fc
      .tuple(
        fc.constantFrom(...WEEKDAYS),
        fc.constantFrom('00:00', '05:59', '06:00', '06:29', '06:30', '17:59', '18:00', '18:01', '23:58', '23:59'),
      )
      .map((both) => both.join(' ')),
    customer,
  },
  { requiredKeys: ['time'] },
);

/** Payments with values of keys, as they are compared. */
export const keyedPaymentArbitrary = fc.tuple(paymentArbitrary, keys).map(([payment, own]) => ({ ...payment, keys: own }));

/*
 * The conditions of rules as documented, read without anything of the engine: slow, and plain to check against the documents.
 */

/** True if a rule matches a payment. */
export function matchesNaively(rule: Rule, payment: RoutablePayment, keys: readonly MetadataKey[]): boolean {
  const { when } = rule;
  if (!rule.enabled || payment.method === null) return false;
  if (when.currency !== payment.currency || !when.methods.includes(payment.method)) return false;
  if (payment.amount < when.amount.from || (when.amount.to !== null && payment.amount > when.amount.to)) return false;
  if (when.countries && !when.countries.some((country) => country === payment.customerCountry)) return false;
  if (when.customer && payment.keys?.customer !== when.customer) return false;
  if (!isOnDay(when.weekdays, payment.keys?.time) || !isInHours(when.hours, payment.keys?.time)) return false;
  return (when.metadata ?? []).every((condition) => {
    const key = keys.find(({ name }) => name === condition.key);
    return key !== undefined && holds(condition, key, payment.keys?.metadata?.[condition.key]);
  });
}

function isOnDay(weekdays: Rule['when']['weekdays'], time: string | undefined): boolean {
  return weekdays === undefined || weekdays.some((day) => day === time?.split(' ')[0]);
}

/** Times of day compare as text does: all have two digits each. */
function isInHours(hours: Rule['when']['hours'], time: string | undefined): boolean {
  if (hours === undefined) return true;
  const now = time?.split(' ')[1];
  if (now === undefined) return false;
  return hours.from < hours.to ? hours.from <= now && now < hours.to : now >= hours.from || now < hours.to;
}

function holds(condition: MetadataCondition, key: MetadataKey, value: MetadataValue | undefined): boolean {
  if (condition.is === 'present') return value !== undefined;
  if (condition.is === 'absent') return value === undefined;
  if (value === undefined) return 'orAbsent' in condition && condition.orAbsent === true;
  if (condition.is === 'between') {
    return (
      typeof value === 'number' &&
      !(condition.from !== null && value < condition.from) &&
      !(condition.to !== null && value > condition.to)
    );
  }
  const ignoreCase = 'ignoreCase' in key && key.ignoreCase === true;
  const same = (named: string | boolean) => {
    if (typeof named !== 'string' || typeof value !== 'string') return named === value;
    const [left, right] = [named.normalize('NFC'), value.normalize('NFC')];
    return ignoreCase ? left.toLowerCase() === right.toLowerCase() : left === right;
  };
  return 'values' in condition && condition.values.some(same) === (condition.is === 'one_of');
}

/** A payment's value of a key as documented, from the metadata that a merchant sent. */
export function readNaively(key: MetadataKey, metadata: Readonly<Record<string, unknown>>): MetadataValue | undefined {
  const sent = metadata[key.name];
  const text = typeof sent === 'string' ? sent : typeof sent === 'number' && Number.isInteger(sent) ? String(sent) : undefined;
  if (key.type === 'boolean')
    return sent === true || sent === 'true' ? true : sent === false || sent === 'false' ? false : undefined;
  if (key.type === 'integer')
    return text !== undefined && String(Number(text)) === text && Number.isInteger(Number(text)) ? Number(text) : undefined;
  if (text === undefined) return undefined;
  const ignoreCase = 'ignoreCase' in key && key.ignoreCase === true;
  const plain = (each: string) => (ignoreCase ? each.normalize('NFC').toLowerCase() : each.normalize('NFC'));
  return 'values' in key ? key.values.find((value) => plain(value) === plain(text)) : plain(text);
}
