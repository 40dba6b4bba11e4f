import type { MetadataKey } from '@switchyard/routing';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** Every method a payment can be made by, in the order pages list them. */
export const METHODS = ['CARD', 'TRANSFER', 'USSD', 'BANK', 'QR', 'WALLET', 'MOBILE_MONEY', 'DIRECT_DEBIT'] as const;

/** An account that rules can name, as the page needs it. */
export type Account = RouterOutputs['routing']['live']['accounts'][number];

/** A whole number; other text stays as typed, so that no input is lost and the check can report the problem. */
export type Typed = number | string;

/** An account's share of a split. */
export interface Share {
  readonly account: string;
  readonly percent: Typed;
}

/** How a rule ranks its accounts, as typed. */
export type Target =
  | { readonly strategy: 'priority'; readonly accounts: readonly string[] }
  /** `fees` left out for the contract. */
  | {
      readonly strategy: 'lowest_cost' | 'expected_value';
      readonly accounts: readonly string[];
      readonly fees?: 'contract' | 'effective';
    }
  | { readonly strategy: 'weighted'; readonly split: readonly Share[] }
  | {
      readonly strategy: 'success_rate';
      readonly accounts: readonly string[];
      readonly minSamples: Typed;
      readonly explorationPercent: Typed;
    };

/** The strategies a rule can have. */
export type Strategy = Target['strategy'];

/** The strategies in the order in which the editor offers them. */
export const STRATEGIES: readonly Strategy[] = ['priority', 'weighted', 'success_rate', 'lowest_cost', 'expected_value'];

/** A condition on one metadata key, as typed. */
export type Condition = { readonly key: string } & (
  | { readonly is: 'present' | 'absent' }
  | { readonly is: 'one_of' | 'none_of'; readonly values: readonly (string | boolean)[]; readonly orAbsent?: boolean }
  | { readonly is: 'between'; readonly from: Typed | null; readonly to: Typed | null; readonly orAbsent?: boolean }
);

/** A rule under edit, valid or not. */
export interface Rule {
  readonly ruleId: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly when: {
    readonly currency: string;
    readonly methods: readonly string[];
    /** Both ends inclusive; `to` null is open on top. */
    readonly amount: { readonly from: Typed; readonly to: Typed | null };
    readonly countries?: readonly string[] | null;
    readonly metadata?: readonly Condition[];
    readonly weekdays?: readonly string[];
    readonly hours?: { readonly from: string; readonly to: string };
    readonly customer?: string;
  };
  readonly then: Target;
}

interface Expectation {
  readonly name: string;
  readonly payment: {
    readonly currency: string;
    readonly amount: Typed;
    readonly method: string | null;
    readonly customerCountry: string | null;
    readonly keys?: unknown;
  };
  readonly goesTo: readonly string[];
}

/** The rule set of a draft. */
export interface RuleDocument {
  /** Declarations of the metadata keys that the rules compare. */
  readonly keys?: readonly MetadataKey[];
  readonly rules: readonly Rule[];
  readonly defaultOrder: readonly string[];
  readonly expectations?: readonly Expectation[];
}

/** Reads a stored draft. Null where it is not made of rules at all, which only a program can have written. */
export function readDocument(stored: unknown): RuleDocument | null {
  if (!isObject(stored)) return null;
  const rules = readList(stored.rules, readRule);
  const defaultOrder = readList(stored.defaultOrder, readText);
  const expectations = stored.expectations === undefined ? [] : readList(stored.expectations, readExpectation);
  const keys = stored.keys === undefined ? [] : readList(stored.keys, readKey);
  if (rules === null || defaultOrder === null || expectations === null || keys === null) return null;
  return { ...(keys.length > 0 && { keys }), rules, defaultOrder, ...(expectations.length > 0 && { expectations }) };
}

/** The account ids a target names, in the order written. */
export function accountsOf(target: Target): readonly string[] {
  return target.strategy === 'weighted' ? target.split.map(({ account }) => account) : target.accounts;
}

/**
 * True if a rule can be active. An incomplete rule, such as a new one, decides no payment, here and on the server; there the
 * accounts it names are checked too.
 */
export function isComplete({ name, when, then: target }: Rule): boolean {
  const { from, to } = when.amount;
  const isBand = typeof from === 'number' && (to === null || (typeof to === 'number' && from <= to));
  const { hours } = when;
  const isTimed = hours === undefined || (TIME.test(hours.from) && TIME.test(hours.to) && hours.from !== hours.to);
  const isKeyed = isTimed && (when.metadata ?? []).every(isCompleteCondition);
  return name.trim() !== '' && when.methods.length > 0 && isBand && isKeyed && isCompleteTarget(target);
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$|^24:00$/;

function isCompleteCondition(condition: Condition): boolean {
  if (condition.key === '') return false;
  if ('values' in condition) return condition.values.length > 0;
  if (condition.is !== 'between') return true;
  const { from, to } = condition;
  return typeof from !== 'string' && typeof to !== 'string' && (from ?? to) !== null && (from ?? to ?? 0) <= (to ?? from ?? 0);
}

function isCompleteTarget(target: Target): boolean {
  switch (target.strategy) {
    case 'priority':
    case 'lowest_cost':
    case 'expected_value':
      return target.accounts.length > 0;
    case 'weighted':
      return target.split.reduce((sum, { percent }) => sum + Number(percent), 0) === 100;
    case 'success_rate':
      return target.accounts.length > 0 && typeof target.minSamples === 'number' && typeof target.explorationPercent === 'number';
    default:
      return target satisfies never;
  }
}

function readRule(value: unknown): Rule | null {
  if (!isObject(value) || !isObject(value.when) || !isObject(value.when.amount)) return null;
  const { ruleId, name, enabled, when } = value;
  const methods = readList(when.methods, readText);
  const countries = when.countries === undefined || when.countries === null ? null : readList(when.countries, readText);
  const target = readTarget(value.then);
  const { from, to } = value.when.amount;
  if (typeof ruleId !== 'string' || typeof when.currency !== 'string' || methods === null || target === null) return null;
  if (!isTyped(from) || !(to === null || isTyped(to))) return null;
  return {
    ruleId,
    name: typeof name === 'string' ? name : '',
    enabled: enabled === true,
    when: { currency: when.currency, methods, amount: { from, to }, countries, ...readKeyConditions(when) },
    then: target,
  };
}

function readKeyConditions(when: Readonly<Record<string, unknown>>): Partial<Rule['when']> {
  const metadata = when.metadata === undefined ? null : readList(when.metadata, readCondition);
  const weekdays = when.weekdays === undefined ? null : readList(when.weekdays, readText);
  const { hours, customer } = when;
  return {
    ...(metadata !== null && metadata.length > 0 && { metadata }),
    ...(weekdays !== null && { weekdays }),
    ...(isObject(hours) && { hours: { from: readText(hours.from) ?? '', to: readText(hours.to) ?? '' } }),
    ...(typeof customer === 'string' && { customer }),
  };
}

function readCondition(value: unknown): Condition | null {
  if (!isObject(value) || typeof value.key !== 'string') return null;
  const { key, is } = value;
  const also = typeof value.orAbsent === 'boolean' ? { orAbsent: value.orAbsent } : {};
  switch (is) {
    case 'present':
    case 'absent':
      return { key, is };
    case 'one_of':
    case 'none_of': {
      const values = readList(value.values, (each) => (typeof each === 'string' || typeof each === 'boolean' ? each : null));
      return values === null ? null : { key, is, values, ...also };
    }
    case 'between': {
      const { from, to } = value;
      return (from === null || isTyped(from)) && (to === null || isTyped(to)) ? { key, is, from, to, ...also } : null;
    }
    default:
      return null;
  }
}

function readKey(value: unknown): MetadataKey | null {
  if (!isObject(value) || typeof value.name !== 'string' || typeof value.label !== 'string') return null;
  const { name, label, type } = value;
  const ignoreCase = typeof value.ignoreCase === 'boolean' ? { ignoreCase: value.ignoreCase } : {};
  switch (type) {
    case 'string':
      return { name, label, type, ...ignoreCase };
    case 'integer':
    case 'boolean':
      return { name, label, type };
    case 'enum': {
      const values = readList(value.values, readText);
      return values === null ? null : { name, label, type, values, ...ignoreCase };
    }
    default:
      return null;
  }
}

function readTarget(value: unknown): Target | null {
  if (!isObject(value)) return null;
  if (value.strategy === 'weighted') {
    const split = readList(value.split, readShare);
    return split === null ? null : { strategy: 'weighted', split };
  }
  const accounts = readList(value.accounts, readText);
  if (accounts === null) return null;
  switch (value.strategy) {
    case 'priority':
      return { strategy: 'priority', accounts };
    case 'lowest_cost':
    case 'expected_value':
      return { strategy: value.strategy, accounts, ...(value.fees === 'effective' && { fees: value.fees }) };
    case 'success_rate': {
      const { minSamples, explorationPercent } = value;
      if (!isTyped(minSamples) || !isTyped(explorationPercent)) return null;
      return { strategy: 'success_rate', accounts, minSamples, explorationPercent };
    }
    default:
      return null;
  }
}

function readShare(value: unknown): Share | null {
  if (!isObject(value) || typeof value.account !== 'string' || !isTyped(value.percent)) return null;
  return { account: value.account, percent: value.percent };
}

function readExpectation(value: unknown): Expectation | null {
  if (!isObject(value) || !isObject(value.payment)) return null;
  const { currency, amount, method, customerCountry } = value.payment;
  const goesTo = readList(value.goesTo, readText);
  if (goesTo === null || typeof currency !== 'string' || !isTyped(amount)) return null;
  const orNull = (text: unknown) => (typeof text === 'string' ? text : null);
  const { keys } = value.payment;
  const known = { currency, amount, method: orNull(method), customerCountry: orNull(customerCountry) };
  const payment = keys === undefined ? known : { ...known, keys };
  return { name: typeof value.name === 'string' ? value.name : '', payment, goesTo };
}

/** A list whose every entry can be read, or null. */
function readList<Entry>(value: unknown, read: (entry: unknown) => Entry | null): Entry[] | null {
  if (!Array.isArray(value)) return null;
  const entries = value.map(read).filter((entry) => entry !== null);
  return entries.length === value.length ? entries : null;
}

function readText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function isTyped(value: unknown): value is Typed {
  return typeof value === 'number' || typeof value === 'string';
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
