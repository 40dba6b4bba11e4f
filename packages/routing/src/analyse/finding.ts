import { describePayment } from '../decide/sentence.ts';
import { methodWord } from '../health-text.ts';
import type { KeyCell } from '../keys/key-cells.ts';
import { describePaymentKeys } from '../keys/key-text.ts';
import type { KeysByName } from '../keys/match-keys.ts';
import type { PaymentMethod, RoutablePayment } from '../types.ts';
import type { ExamplePayment } from './coverage.ts';

/** Kinds of findings of an analysis. */
export type FindingKind =
  /** Two rules match the same payment; the earlier wins, and the later decides others. */
  | 'overlap'
  /** The same conditions as an earlier rule. */
  | 'duplicate'
  /** One earlier rule takes every payment that this one matches. */
  | 'shadowed'
  /** Several earlier rules together take every payment, or no payment can match. */
  | 'unreachable'
  /** No rule covers a span of payments. */
  | 'gap'
  /** A list names an account that the merchant does not have. */
  | 'unknown_account'
  /** A list names an account that is switched off or has no usable credentials. */
  | 'disabled_account'
  /** The first account of a rule can take none of the rule's payments. */
  | 'incapable_account'
  /** An account of a rule can take some of the rule's payments and not others. */
  | 'partly_incapable_account'
  /** An account behind the first of its list can take none of the payments that come there. */
  | 'fallback_never_reached'
  /** Only one account of the merchant can take a payment. */
  | 'no_second_choice'
  /** No account of the merchant can take a payment. */
  | 'no_account'
  /** Percentages that do not add up to 100. */
  | 'bad_split'
  /** A rule compares fees, and an account has no fee schedule. */
  | 'missing_fees'
  /** An eligible account that no list names: it is tried behind those that are listed and healthy. */
  | 'unlisted_account'
  /** Several findings that follow from one limit of one account, folded into one. */
  | 'account_limit';

/** Kinds of findings that an account's limit can cause. */
export type LimitedFindingKind = Extract<
  FindingKind,
  'incapable_account' | 'partly_incapable_account' | 'fallback_never_reached' | 'no_second_choice' | 'no_account'
>;

/** A problem of a rule set, found without running payments. */
export interface Finding {
  readonly kind: FindingKind;
  readonly severity: 'info' | 'warning' | 'critical';
  /** Places of the rules in the rule set, from 0; the rule found against comes last. Empty for the default order. */
  readonly positions: readonly number[];
  readonly ruleIds: readonly string[];
  readonly accountIds: readonly string[];
  /** A payment that shows it; null where no payment can. */
  readonly example: ExamplePayment | null;
  /** The span of payments concerned, for gaps. */
  readonly gap: Gap | null;
  /** The account's limit that it follows from: without that limit, it would not be found. */
  readonly limit: AccountLimit | null;
  /** Consequences of the limit, the gravest first; empty for all kinds but `account_limit`. */
  readonly consequences: readonly LimitConsequence[];
  /** One sentence; rules are counted from 1, as people do. */
  readonly message: string;
}

/** The least or the greatest amount that an account takes. */
export interface AccountLimit {
  readonly accountId: string;
  readonly bound: 'min' | 'max';
  readonly amount: number;
}

/** Findings of one kind that follow from one limit, of all the rules concerned. */
export interface LimitConsequence {
  readonly kind: LimitedFindingKind;
  readonly severity: Finding['severity'];
  /** Places of the rules concerned, from 0. */
  readonly positions: readonly number[];
  /** Currencies and methods of payments concerned that no rule decides. */
  readonly places: readonly { readonly currency: string; readonly method: PaymentMethod }[];
  /** True if the account's place in the default order is concerned. */
  readonly inDefaultOrder: boolean;
  /** The account alone that can take the payments, for `no_second_choice`; the limited account where it is named by a list. */
  readonly accountIds: readonly string[];
  readonly example: ExamplePayment | null;
}

/** A span of payments that no rule matches, in one currency and method. Amounts in whole main units. */
export interface Gap {
  readonly currency: string;
  readonly method: PaymentMethod;
  /** Inclusive; `to` null is open-ended. */
  readonly from: number;
  readonly to: number | null;
  /** Customers' countries concerned; `others` means all that no rule names, and unknown ones. */
  readonly countries: readonly string[];
  readonly others: boolean;
  /** Values of keys concerned: payments whose values are in every cell of one of these; null for any values. */
  readonly keys: readonly (readonly KeyCell[])[] | null;
}

/** The findings of a rule set, gravest first, limited in number. */
export interface Analysis {
  readonly findings: readonly Finding[];
  /** Findings beyond the limit. */
  readonly omitted: number;
}

/** `rules 1, 2 and 4`, from positions counted from 0; long lists are cut. */
export function ruleNumbers(positions: readonly number[]): string {
  const numbers = positions.slice(0, 5).map((position) => String(position + 1));
  const more = positions.length - numbers.length;
  if (more > 0) return `rules ${numbers.join(', ')} and ${more} more`;
  const last = numbers.pop() ?? '';
  return numbers.length === 0 ? `rule ${last}` : `rules ${numbers.join(', ')} and ${last}`;
}

const WEIGHT = { critical: 0, warning: 1, info: 2 } as const;

/** Compares by severity, for sorting. */
export function compareSeverity(left: Pick<Finding, 'severity'>, right: Pick<Finding, 'severity'>): number {
  return WEIGHT[left.severity] - WEIGHT[right.severity];
}

/** How the findings of a rule set differ from those of another. */
export interface FindingComparison {
  /** Places in the findings of the later one, from 0. */
  readonly added: readonly number[];
  /** Findings of the earlier one that the later one has no more. */
  readonly gone: readonly Finding[];
}

/**
 * Compares the findings of two rule sets on the same accounts. A finding is the same when it says the same of the same rules, by their
 * ids, accounts and payments, wherever the rules stand; one whose severity changed is another.
 */
export function compareFindings(before: readonly Finding[], now: readonly Finding[]): FindingComparison {
  const earlier = new Map(before.map((finding) => [keyOf(finding), finding]));
  const added: number[] = [];
  for (const [place, finding] of now.entries()) {
    if (!earlier.delete(keyOf(finding))) added.push(place);
  }
  return { added, gone: Array.from(earlier.values()) };
}

function keyOf({ kind, severity, ruleIds, accountIds, gap, limit }: Finding): string {
  return JSON.stringify([kind, severity, ruleIds, accountIds, gap, limit]);
}

/**
 * A payment as an example: `NGN 2,500.00 by card`; `NGN 2,500.00 by mobile money from GH` where a country is known, `NGN 2,500.00 by card
 * (a new customer, Tier gold)` with values of keys.
 */
export function describeExample(
  payment: Pick<RoutablePayment, 'currency' | 'amount' | 'method' | 'customerCountry' | 'keys'>,
  declared?: KeysByName,
): string {
  const clauses = describePaymentKeys(payment.keys ?? {}, declared);
  return `${describePayment(payment)}${clauses.length === 0 ? '' : ` (${clauses.join(', ')})`}`;
}

/** Payments in a currency by a method: `NGN by transfer`. */
export function describePlace({ currency, method }: { readonly currency: string; readonly method: PaymentMethod }): string {
  return `${currency} by ${methodWord(method)}`;
}
