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
  | { readonly strategy: 'lowest_cost'; readonly accounts: readonly string[]; readonly fees?: 'contract' | 'effective' }
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
export const STRATEGIES: readonly Strategy[] = ['priority', 'weighted', 'success_rate', 'lowest_cost'];

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
  };
  readonly goesTo: readonly string[];
}

/** The rule set of a draft. */
export interface RuleDocument {
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
  if (rules === null || defaultOrder === null || expectations === null) return null;
  return { rules, defaultOrder, ...(expectations.length > 0 && { expectations }) };
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
  return name.trim() !== '' && when.methods.length > 0 && isBand && isCompleteTarget(target);
}

function isCompleteTarget(target: Target): boolean {
  switch (target.strategy) {
    case 'priority':
    case 'lowest_cost':
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
    when: { currency: when.currency, methods, amount: { from, to }, countries },
    then: target,
  };
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
      return { strategy: 'lowest_cost', accounts, ...(value.fees === 'effective' && { fees: value.fees }) };
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
  const payment = { currency, amount, method: orNull(method), customerCountry: orNull(customerCountry) };
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
