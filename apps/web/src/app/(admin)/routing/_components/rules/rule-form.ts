import { groupDigits } from '@switchyard/routing';
import { accountsOf, type Rule, type Share, type Strategy, type Target, type Typed } from './document.ts';

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
  readonly strategy: Strategy;
  readonly accounts: readonly { readonly account: string; readonly percent: string }[];
  /** Where the lowest fee is taken from. */
  readonly fees: 'contract' | 'effective';
  readonly minSamples: string;
  readonly explorationPercent: string;
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
    strategy: target.strategy,
    accounts: target.strategy === 'weighted' ? target.split.map(shareText) : accountsOf(target).map(withoutShare),
    fees: target.strategy === 'lowest_cost' ? (target.fees ?? 'contract') : 'contract',
    minSamples: measured === null ? MIN_SAMPLES : typedText(measured.minSamples),
    explorationPercent: measured === null ? EXPLORATION_PERCENT : typedText(measured.explorationPercent),
  };
}

/** The rule that a form represents. Text that is no number is kept, for the check to report. */
export function fromForm(ruleId: string, form: RuleForm): Rule {
  const { name, enabled, currency, methods } = form;
  const countries = readCountries(form.countries);
  const amount = { from: readTyped(form.from), to: form.to.trim() === '' ? null : readTyped(form.to) };
  const when = { currency, methods, amount, countries: countries.length === 0 ? null : countries };
  return { ruleId, name, enabled, when, then: targetOf(form) };
}

function readCountries(text: string): string[] {
  const codes = text.toUpperCase().split(/[\s,;]+/);
  return codes.filter((code) => code !== '');
}

/** Another way to choose among the accounts. A split that was never written begins as an even one. */
export function withStrategy(form: RuleForm, strategy: Strategy): RuleForm {
  const isUnsplit = form.accounts.every(({ percent }) => percent.trim() === '');
  if (strategy !== 'weighted' || !isUnsplit) return { ...form, strategy };
  return { ...form, strategy, accounts: evenly(form.accounts.map(({ account }) => account)) };
}

/** Adds an account at the end; in a split it begins with nothing. */
export function withAccount(form: RuleForm, account: string): RuleForm {
  const percent = form.strategy === 'weighted' ? '0' : '';
  return { ...form, accounts: [...form.accounts, { account, percent }] };
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
  const named = accounts.map(({ account }) => account);
  switch (strategy) {
    case 'priority':
      return { strategy, accounts: named };
    case 'lowest_cost':
      return { strategy, accounts: named, ...(fees === 'effective' && { fees }) };
    case 'weighted':
      return { strategy, split: accounts.map(({ account, percent }) => ({ account, percent: readTyped(percent) })) };
    case 'success_rate':
      return {
        strategy,
        accounts: named,
        minSamples: readTyped(minSamples),
        explorationPercent: readTyped(explorationPercent),
      };
    default:
      return strategy satisfies never;
  }
}
