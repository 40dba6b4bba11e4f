import type { Clock } from '../clock.ts';
import type { FeeBasis } from '../fee-types.ts';
import type { AccountHealth, IneligibleReason, RoutableAccount, RoutablePayment, RoutingOverride } from '../types.ts';
import type { CompiledRule } from './compile.ts';
import type { Capability } from './eligibility.ts';
import type { SuccessEstimate } from './success.ts';

/*
 * Facts that shaped a decision, as codes and parameters. `fact-text.ts` makes the sentences that are stored and answered.
 */

/** A fact that shaped a decision, as a code with its parameters; {@link RoutingReason} words it. */
export type RoutingFact =
  | CanaryFact
  | PathFact
  | StrategyFact
  | { readonly code: 'rule_account_missing' }
  | OverrideFact
  | { readonly code: Capability['reason']; readonly account: RoutableAccount }
  | HealthFact
  | FallbackFact
  | { readonly code: 'no_healthy_account'; readonly first: RoutableAccount; readonly severity: 'warning' | 'critical' }
  | { readonly code: 'no_eligible_provider' };

/** A version that is tried with a share of customers decided, and not the active one. */
export type CanaryFact = { readonly code: 'canary'; readonly version: number; readonly percent: number };

/** Facts that decide the order of accounts. */
export type PathFact =
  | { readonly code: 'rule_matched'; readonly rule: CompiledRule }
  | { readonly code: 'requested_gateway'; readonly gateway: string }
  | { readonly code: 'no_rule_matched' }
  | { readonly code: 'no_method' }
  | { readonly code: 'held_out' };

/** How a rule's strategy ordered the rule's accounts. */
export type StrategyFact =
  | {
      readonly code: 'weighted_split';
      readonly shares: readonly { readonly account: RoutableAccount; readonly percent: number }[];
      readonly drawn: RoutableAccount;
    }
  | { readonly code: 'success_rate_exploration'; readonly explorationPercent: number; readonly explored: RoutableAccount }
  | { readonly code: 'success_rate_unmeasured'; readonly minSamples: number }
  | { readonly code: 'success_rate_best'; readonly best: ConvertingAccount; readonly others: readonly ConvertingAccount[] }
  | { readonly code: 'lowest_cost_unknown' }
  | {
      readonly code: 'lowest_cost';
      readonly basis: FeeBasis;
      readonly cheapest: PricedAccount;
      readonly others: readonly PricedAccount[];
    }
  | { readonly code: 'expected_value_unknown' }
  | {
      readonly code: 'expected_value';
      readonly basis: FeeBasis;
      readonly best: ValuedAccount;
      readonly others: readonly ValuedAccount[];
    };

/** An account with the share of payments it converted, ranked by `success_rate`: `paid` of `finished`. */
export interface ConvertingAccount {
  readonly account: RoutableAccount;
  readonly paid: number;
  readonly finished: number;
}

/** An account with its fee for the payment, in hundredths of the main unit. */
export interface PricedAccount {
  readonly account: RoutableAccount;
  readonly feeInHundredths: number;
}

/** An account with what a payment is expected to be worth there. Amounts in hundredths of the main unit. */
export interface ValuedAccount extends PricedAccount {
  readonly success: SuccessEstimate;
  /** The chance of success times what is left after the fee, rounded. */
  readonly worthInHundredths: number;
}

/** The effect of an operator's override. `override_force_ineffective`: the forced account is ineligible because of `obstacle`. */
export type OverrideFact =
  | {
      readonly code: 'override_drain' | 'override_disable' | 'override_force';
      readonly account: RoutableAccount;
      readonly override: RoutingOverride;
    }
  | {
      readonly code: 'override_force_ineffective';
      readonly account: RoutableAccount;
      readonly override: RoutingOverride;
      readonly obstacle: IneligibleReason;
    };

/** The effect of an account's health on its rank. */
export type HealthFact =
  | {
      readonly code: 'account_degraded' | 'account_recovering' | 'account_down';
      readonly account: RoutableAccount;
      readonly health: AccountHealth;
      readonly place: HealthPlace;
    }
  | {
      readonly code: 'probe_payment';
      readonly account: RoutableAccount;
      readonly health: AccountHealth;
      /** The account that takes over should the probe payment fail; null when no other account can take the payment. */
      readonly behind: RoutableAccount | null;
    };

/**
 * The rank of an account that is not healthy: `last` behind the healthy ones; without a healthy one, `best_chance` in front of all
 * others or `by_chance` behind better ones; `kept` in its place as a fallback, because the payment may be a probe payment.
 */
export type HealthPlace = 'last' | 'best_chance' | 'by_chance' | 'kept';

/** The payment went on to accounts that its path does not lead with. */
export type FallbackFact =
  | {
      readonly code: 'requested_gateway_unavailable';
      readonly gateway: string;
      readonly unavailable: UnavailableReason | 'no_account';
      readonly next: FallbackAccount;
    }
  | {
      readonly code: 'rule_accounts_unavailable';
      readonly rule: CompiledRule;
      readonly unavailable: UnavailableReason;
      readonly next: FallbackAccount;
    }
  | { readonly code: 'unlisted_account'; readonly unavailable: UnavailableReason; readonly next: FallbackAccount };

/** Why none of the accounts in front serves: they cannot take the payment, or those that can are not healthy. */
export type UnavailableReason = 'unable' | 'unhealthy';

/** The account that serves instead, and whether any order lists it. */
export interface FallbackAccount {
  readonly account: RoutableAccount;
  readonly listed: boolean;
}

/** The account that takes the payment, and why. */
export type RationaleFact =
  | { readonly basis: 'no_account' }
  | { readonly basis: 'override' | 'best_chance'; readonly account: RoutableAccount }
  | { readonly basis: 'rule'; readonly account: RoutableAccount; readonly rule: CompiledRule }
  | { readonly basis: 'requested'; readonly account: RoutableAccount; readonly gateway: string }
  | {
      readonly basis: 'fallback';
      readonly next: FallbackAccount;
      readonly unavailable: UnavailableReason;
      /** The rule or gateway that the path would have led with; null for the default order. */
      readonly after: { readonly rule: CompiledRule } | { readonly gateway: string } | null;
    };

/** Subject of all sentences of a decision: the payment, the words for it, and how times are written. */
export interface Subject {
  readonly payment: RoutablePayment;
  /** `NGN 2,500.00 by card` */
  readonly text: string;
  readonly clock: Clock;
}
