import { groupDigits } from '@switchyard/routing';
import { isSameJson } from '@switchyard/routing/same-json';
import { accountsOf, type Condition, type Rule, type Share, type Strategy, type Target, type Typed } from './document.ts';

/** The state of a rule's form: text as typed, and the fields of strategies that are not selected. */
export interface RuleForm {
  readonly name: string;
  readonly enabled: boolean;
  readonly currency: string;
  readonly methods: readonly string[];
  readonly from: string;
  /** Empty for no upper end. */
  readonly to: string;
  /** Codes, such as `NG, GH`; empty for any. */
  readonly countries: string;
  /** Empty for any. */
  readonly customer: string;
  /** Empty for any day. */
  readonly weekdays: readonly string[];
  /** Both empty for any hour. */
  readonly hoursFrom: string;
  readonly hoursTo: string;
  readonly metadata: readonly ConditionForm[];
  readonly strategy: Strategy;
  readonly accounts: readonly { readonly account: string; readonly percent: string }[];
  /** Where the lowest fee is taken from. */
  readonly fees: 'contract' | 'effective';
  readonly minSamples: string;
  readonly explorationPercent: string;
}

/** A test of a metadata key, as the editor offers it. */
export type ConditionTest = 'one_of' | 'none_of' | 'true' | 'false' | 'between' | 'present' | 'absent';

/** A condition on a metadata key, as entered. */
export interface ConditionForm {
  readonly key: string;
  readonly test: ConditionTest;
  readonly values: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly orAbsent: boolean;
}

const MIN_SAMPLES = '100';
const EXPLORATION_PERCENT = '5';

/** The form's fields for a rule; those of other strategies have their defaults. */
export function toForm({ name, enabled, when, then: target }: Rule): RuleForm {
  const measured = target.strategy === 'success_rate' ? target : null;
  return {
    name,
    enabled,
    currency: when.currency,
    methods: when.methods,
    from: typedText(when.amount.from),
    to: when.amount.to === null ? '' : typedText(when.amount.to),
    countries: (when.countries ?? []).join(', '),
    customer: when.customer ?? '',
    weekdays: when.weekdays ?? [],
    hoursFrom: when.hours?.from ?? '',
    hoursTo: when.hours?.to ?? '',
    metadata: (when.metadata ?? []).map(toConditionForm),
    strategy: target.strategy,
    accounts: target.strategy === 'weighted' ? target.split.map(shareText) : accountsOf(target).map(withoutShare),
    fees: 'fees' in target ? (target.fees ?? 'contract') : 'contract',
    minSamples: measured === null ? MIN_SAMPLES : typedText(measured.minSamples),
    explorationPercent: measured === null ? EXPLORATION_PERCENT : typedText(measured.explorationPercent),
  };
}

/** The rule that a form represents. Text that is not a number is kept, for the check to report. */
export function fromForm(ruleId: string, form: RuleForm): Rule {
  const { name, enabled, currency, methods } = form;
  const countries = readCountries(form.countries);
  const amount = { from: readTyped(form.from), to: form.to.trim() === '' ? null : readTyped(form.to) };
  const { customer, weekdays, hoursFrom, hoursTo, metadata } = form;
  const hasHours = hoursFrom.trim() !== '' || hoursTo.trim() !== '';
  const when = {
    currency,
    methods,
    amount,
    countries: countries.length === 0 ? null : countries,
    ...(customer !== '' && { customer }),
    ...(weekdays.length > 0 && { weekdays }),
    ...(hasHours && { hours: { from: hoursFrom.trim(), to: hoursTo.trim() } }),
    ...(metadata.length > 0 && { metadata: metadata.map(fromConditionForm) }),
  };
  return { ruleId, name, enabled, when, then: targetOf(form) };
}

function toConditionForm(condition: Condition): ConditionForm {
  const { key, is } = condition;
  const empty = { key, values: [], from: '', to: '', orAbsent: 'orAbsent' in condition && condition.orAbsent === true };
  switch (is) {
    case 'present':
    case 'absent':
      return { ...empty, test: is };
    case 'one_of':
    case 'none_of': {
      const [value] = condition.values;
      if (typeof value === 'boolean') return { ...empty, test: value === (is === 'one_of') ? 'true' : 'false' };
      return { ...empty, test: is, values: condition.values.map(String) };
    }
    case 'between': {
      const text = (edge: Typed | null) => (edge === null ? '' : typedText(edge));
      return { ...empty, test: is, from: text(condition.from), to: text(condition.to) };
    }
    default:
      return condition satisfies never;
  }
}

function fromConditionForm({ key, test, values, from, to, orAbsent }: ConditionForm): Condition {
  const also = orAbsent ? { orAbsent } : {};
  switch (test) {
    case 'present':
    case 'absent':
      return { key, is: test };
    case 'true':
    case 'false':
      return { key, is: 'one_of', values: [test === 'true'], ...also };
    case 'one_of':
    case 'none_of':
      return { key, is: test, values, ...also };
    case 'between': {
      const edge = (text: string) => (text.trim() === '' ? null : readTypedInteger(text));
      return { key, is: test, from: edge(from), to: edge(to), ...also };
    }
    default:
      return test satisfies never;
  }
}

/** As {@link readTyped}, with a sign. */
function readTypedInteger(text: string): Typed {
  const trimmed = text.trim();
  const size = readTyped(trimmed.replace(/^[-−]/, ''));
  return typeof size === 'string' ? text : /^[-−]/.test(trimmed) ? -size : size;
}

function readCountries(text: string): string[] {
  const codes = text.toUpperCase().split(/[\s,;]+/);
  return codes.filter((code) => code !== '');
}

/** Another way to choose among the accounts. A split begins as an even one, unless all of its shares were entered before. */
export function withStrategy(form: RuleForm, strategy: Strategy): RuleForm {
  const isSplit = form.accounts.length > 0 && form.accounts.every(({ percent }) => percent.trim() !== '');
  if (strategy !== 'weighted' || isSplit) return { ...form, strategy };
  return { ...form, strategy, accounts: evenly(named(form.accounts)) };
}

/** Adds an account at the end. An even split stays even; in one whose shares were entered it begins with nothing. */
export function withAccount(form: RuleForm, account: string): RuleForm {
  return withAccounts(form, [...form.accounts, { account, percent: form.strategy === 'weighted' ? '0' : '' }]);
}

/** Takes an account out. An even split stays even; shares that were entered stay as they are. */
export function withoutAccount(form: RuleForm, account: string): RuleForm {
  return withAccounts(
    form,
    form.accounts.filter((share) => share.account !== account),
  );
}

function withAccounts(form: RuleForm, accounts: RuleForm['accounts']): RuleForm {
  const isEven = form.strategy === 'weighted' && isSameJson(form.accounts, evenly(named(form.accounts)));
  return { ...form, accounts: isEven ? evenly(named(accounts)) : accounts };
}

function named(accounts: RuleForm['accounts']): string[] {
  return accounts.map(({ account }) => account);
}

/** Equal shares that add up to 100; the first ones take what does not divide. */
export function evenly(accounts: readonly string[]): RuleForm['accounts'] {
  const each = Math.floor(100 / Math.max(1, accounts.length));
  const rest = 100 - each * accounts.length;
  return accounts.map((account, at) => ({ account, percent: String(each + (at < rest ? 1 : 0)) }));
}

/** The sum of a split's shares, or null while one of them is no number. */
export function splitTotal(form: RuleForm): number | null {
  const shares = form.accounts.map(({ percent }) => readTyped(percent));
  return shares.reduce<number | null>((sum, share) => (sum === null || typeof share === 'string' ? null : sum + share), 0);
}

/** `5,000`, `5000` and ` 5 000 ` are the same number; anything else stays text. */
export function readTyped(text: string): Typed {
  const digits = text.replaceAll(/[\s,_]/g, '');
  return /^\d{1,15}$/.test(digits) ? Number(digits) : text;
}

function typedText(value: Typed): string {
  return typeof value === 'number' ? groupDigits(value) : value;
}

function shareText({ account, percent }: Share) {
  return { account, percent: typedText(percent) };
}

function withoutShare(account: string) {
  return { account, percent: '' };
}

function targetOf({ strategy, accounts, fees, minSamples, explorationPercent }: RuleForm): Target {
  switch (strategy) {
    case 'priority':
      return { strategy, accounts: named(accounts) };
    case 'lowest_cost':
    case 'expected_value':
      return { strategy, accounts: named(accounts), ...(fees === 'effective' && { fees }) };
    case 'weighted':
      return { strategy, split: accounts.map(({ account, percent }) => ({ account, percent: readTyped(percent) })) };
    case 'success_rate':
      return {
        strategy,
        accounts: named(accounts),
        minSamples: readTyped(minSamples),
        explorationPercent: readTyped(explorationPercent),
      };
    default:
      return strategy satisfies never;
  }
}
