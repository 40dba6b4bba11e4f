/**
 * The types of routing. Everything here is plain data: no clock, no randomness, no I/O.
 * Amounts are integers of the currency's main unit, at most 1e12, and so exact as numbers.
 */

import type { EffectiveRate, FeeBasis, FeeSchedule, SuccessRate } from './fee-types.ts';

/** Canonical payment methods. */
export const PAYMENT_METHODS = ['CARD', 'TRANSFER', 'USSD', 'BANK', 'QR', 'WALLET', 'MOBILE_MONEY', 'DIRECT_DEBIT'] as const;

/** A canonical payment method, as in the REST API. */
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];

/** A merchant's account at a gateway, with the fields that routing uses. */
export interface RoutableAccount {
  readonly accountId: string;
  /** Gateway name; the documented `provider`. */
  readonly gateway: string;
  /** The merchant's name for the account; unique per merchant and mode: `paystack-main`. */
  readonly label: string;
  readonly enabled: boolean;
  /** False while credentials are missing or do not parse, and while the gateway refuses the account as it is configured. */
  readonly configured: boolean;
  /** The part of the configuration that the gateway refuses; absent for none. */
  readonly configurationFault?: ConfigurationFault;
  readonly currencies: readonly string[];
  readonly methods: readonly PaymentMethod[];
  readonly minAmount: number;
  readonly maxAmount: number | null;
  readonly fees: FeeSchedule | null;
  /** Recent charges of the account; absent where none is known. */
  readonly effectiveRates?: readonly EffectiveRate[];
  /** Finished payments of the last weeks; absent where none is known, and where no rule ranks by them. */
  readonly successRates?: readonly SuccessRate[];
}

/** A gateway's refusal of an account as it is configured: it takes no payments until the configuration is corrected. */
export interface ConfigurationFault {
  readonly kind: 'credentials' | 'settings';
  /** The gateway's error message. */
  readonly message: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Days of a week, as rules name them. */
export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;

/** A day of a week. */
export type Weekday = (typeof WEEKDAYS)[number];

/** A value of a metadata key. */
export type MetadataValue = string | number | boolean;

/**
 * A key of payments' metadata that a merchant declared, so that rules may compare it. Text is compared after Unicode NFC, in its own case
 * unless `ignoreCase` says otherwise.
 */
export type MetadataKey = {
  /** Name of the property of `metadata`. */
  readonly name: string;
  /** Name for people. */
  readonly label: string;
} & (
  | { readonly type: 'string'; readonly ignoreCase?: boolean }
  | { readonly type: 'enum'; readonly values: readonly string[]; readonly ignoreCase?: boolean }
  | { readonly type: 'integer' | 'boolean' }
);

/**
 * A condition on one metadata key. An absent value fulfils `absent` alone, and any other with `orAbsent`. `between` has both ends
 * inclusive, null open.
 */
export type MetadataCondition = { readonly key: string } & (
  | { readonly is: 'present' | 'absent' }
  | { readonly is: 'one_of' | 'none_of'; readonly values: readonly (string | boolean)[]; readonly orAbsent?: boolean }
  | { readonly is: 'between'; readonly from: number | null; readonly to: number | null; readonly orAbsent?: boolean }
);

/** History of a customer at the merchant: `returning` has paid before. */
export type CustomerHistory = 'new' | 'returning';

/** A payment's values of the keys that rules compare, as they were when it was decided. One that is missing is absent. */
export type PaymentKeys = {
  readonly metadata?: Readonly<Record<string, MetadataValue>>;
  /** Wall clock of the merchant's zone: `fri 18:30`. */
  readonly time?: string;
  readonly customer?: CustomerHistory;
};

/** The merchant's routing configuration: first rule that matches wins. Immutable once published. */
export interface RuleSet {
  /** 0 while never published. */
  readonly version: number;
  /** Declarations of the metadata keys that the rules compare; absent or empty for none. */
  readonly keys?: readonly MetadataKey[];
  readonly rules: readonly Rule[];
  /** Account ids in the order to try when no rule matches or no method was given. */
  readonly defaultOrder: readonly string[];
  /** The merchant's requirements, checked before the document is published; absent or empty for none. */
  readonly expectations?: readonly Expectation[];
}

/** "NGN 2,500 CARD goes to paystack-main": true of the rules and the accounts alone, with all accounts healthy and none forced. */
export interface Expectation {
  readonly name: string;
  readonly payment: Pick<RoutablePayment, 'currency' | 'amount' | 'method' | 'customerCountry' | 'keys'>;
  /** Account ids the payment must go to: the choice of a split or a comparison must be one of them. */
  readonly goesTo: readonly string[];
}

/** A routing rule: which payments it matches, and how they are routed. Amounts in whole main units. */
export interface Rule {
  readonly ruleId: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly when: {
    readonly currency: string;
    /** Never empty. */
    readonly methods: readonly PaymentMethod[];
    /** Both ends inclusive; `to` null is open-ended. */
    readonly amount: { readonly from: number; readonly to: number | null };
    /** ISO 3166-1 alpha-2; null or absent for any. */
    readonly countries?: readonly string[] | null;
    /** All of them must hold; absent or empty for none. */
    readonly metadata?: readonly MetadataCondition[];
    /** Days of the merchant's zone; absent for any. */
    readonly weekdays?: readonly Weekday[];
    /** Hours of the merchant's zone, `18:00` to `24:00`: `from` inclusive, `to` exclusive, past midnight where it is not later; absent for any. */
    readonly hours?: { readonly from: string; readonly to: string };
    /** Absent for any. */
    readonly customer?: CustomerHistory;
  };
  readonly then: RuleTarget;
}

/**
 * How a rule ranks its accounts. `success_rate` ranks by conversion, accounts with fewer than `minSamples` finished payments last,
 * and puts another account first for `explorationPercent` of payments. `expected_value` ranks by the share of payments that are paid, times
 * what is left of the amount after the fee.
 */
export type RuleTarget =
  | { readonly strategy: 'priority'; readonly accounts: readonly string[] }
  /** Percentages add up to 100; decided by a hash of the payment id. */
  | { readonly strategy: 'weighted'; readonly split: readonly { readonly account: string; readonly percent: number }[] }
  | {
      readonly strategy: 'success_rate';
      readonly accounts: readonly string[];
      readonly minSamples: number;
      readonly explorationPercent: number;
    }
  /** `fees` absent for the contract. */
  | { readonly strategy: 'lowest_cost' | 'expected_value'; readonly accounts: readonly string[]; readonly fees?: FeeBasis };

/** State of an account's health: `probing` follows `down` once calls are tried again. */
export type HealthState = 'healthy' | 'degraded' | 'down' | 'probing';

/** How a provider failed, where it is known. */
export const FAULT_KINDS = ['timed_out', 'refused', 'server_error', 'rate_limited', 'malformed'] as const;

/** Kind of a failure that is the gateway's fault. */
export type FaultKind = (typeof FAULT_KINDS)[number];

/** Subject of a health reason. A type and no interface, as all that is stored as JSON. */
export type HealthSubject = {
  /** The gateway's display name: `Paystack`. */
  readonly gateway: string;
  /** Null for the account as a whole. */
  readonly method: PaymentMethod | null;
};

/** Fields of every demotion, whatever caused it. */
type Demoted = {
  readonly state: 'degraded' | 'down';
  readonly since: string;
  /** True when a probe payment failed, so that the figures are of probe payments. */
  readonly again: boolean;
};

/** Why an account is in its health state: a code and figures, as stored. Spans are in milliseconds, `since` is in ISO 8601. */
export type HealthReason =
  /** Nothing was ever counted. */
  | { readonly code: 'unused' }
  | (HealthSubject &
      (
        | { readonly code: 'healthy'; readonly succeeded: number; readonly samples: number; readonly spanMs: number }
        | {
            readonly code: 'not_enough_data';
            readonly faulted: number;
            readonly samples: number;
            readonly lookupsAnswered: number;
            readonly lookupsFailed: number;
            readonly spanMs: number;
          }
        | {
            readonly code: 'recovered';
            readonly since: string;
            /** `others`: accounts of other merchants, whose trouble at the gateway was the only evidence against it. */
            readonly proof: 'probe_payments' | 'lookups' | 'others';
            readonly answered: number;
          }
        | {
            readonly code: 'probing';
            readonly since: string;
            readonly answered: number;
            readonly needed: number;
            /** Since when status checks, which failed with its checkouts, are answered again; absent where nothing shows that. */
            readonly lookupsSince?: string;
          }
        | (Demoted & {
            readonly code: 'faults';
            readonly faulted: number;
            readonly samples: number;
            readonly spanMs: number;
            /** The kind of more than half of the faults, and how many are of it; null where no kind is. */
            readonly main: { readonly kind: FaultKind; readonly count: number } | null;
            /** True when some of the faults are openings in progress that may still be answered. */
            readonly unanswered: boolean;
          })
        | (Demoted & {
            readonly code: 'slow';
            readonly latencyMs: number;
            /** Null where the usual latency is unknown. */
            readonly usualMs: number | null;
          })
        | (Demoted & {
            readonly code: 'lookups_failed';
            readonly answered: number;
            readonly failed: number;
            readonly spanMs: number;
          })
        /** Inferred from accounts of other merchants: `faulted` of `samples` checkouts of the account that failed most. */
        | {
            readonly code: 'fails_for_others';
            readonly state: 'degraded' | 'down';
            readonly since: string;
            readonly faulted: number;
            readonly samples: number;
          }
      ));

/** A health reason read back from where it was stored; null where its format is unknown to this version. */
export type StoredHealthReason = HealthReason | null;

/** One account's health for one method; `method` null is the health of the account as a whole. */
export interface AccountHealth {
  readonly accountId: string;
  readonly method: PaymentMethod | null;
  readonly state: HealthState;
  readonly why: StoredHealthReason;
  readonly since: string;
  /** Openings of checkouts in the window that were answered, and that failed by the provider's fault; a decline is neither. */
  readonly succeeded: number;
  readonly faulted: number;
  /** True when this payment may lead as a counted probe payment; absent unless the account is probing. */
  readonly probeSlot?: boolean;
  /** Payments that ended paid and unpaid in the longer conversion window, for `success_rate`. */
  readonly paid: number;
  readonly unpaid: number;
}

/** An operator's temporary change. `drain` and `disable` take an account out; `force` puts it first. */
export interface RoutingOverride {
  readonly overrideId: string;
  readonly accountId: string;
  /** The gateway whose accounts of all merchants it is set for, this one among them; absent where it is set for this account alone. */
  readonly gateway?: string;
  readonly method: PaymentMethod | null;
  readonly action: 'drain' | 'disable' | 'force';
  readonly reason: string;
  readonly actor: string;
  /** When a planned one begins to apply; absent where it applied as soon as it was set. */
  readonly startsAt?: string;
  readonly expiresAt: string | null;
}

/** The fields of a payment that routing reads. `amount` is in whole main units. */
export interface RoutablePayment {
  /** Seeds every split, so that a replay gives the same. */
  readonly paymentId: string;
  readonly currency: string;
  readonly amount: number;
  readonly method: PaymentMethod | null;
  readonly customerCountry: string | null;
  /** Gateway name the merchant requested, or null. */
  readonly requestedGateway: string | null;
  /** Values of the keys that the rules compare; absent where they compare none. */
  readonly keys?: PaymentKeys;
}

/** `rationaleCode` of the documented routing record: how the recommended account was chosen. */
export type RationaleCode = 'smart_routing_rule' | 'default_provider_order' | 'requested_gateway' | 'no_eligible_provider';

/** Why an account cannot take a payment. */
export type IneligibleReason =
  | 'disabled_by_operator'
  | 'disabled'
  | 'method_not_supported'
  | 'currency_not_supported'
  | 'amount_out_of_range'
  | 'not_configured';

/** A reason of the documented routing record, worded for people. */
export interface RoutingReason {
  readonly code: string;
  readonly title: string;
  readonly message: string;
  readonly category: 'rule' | 'health' | 'override' | 'capability' | 'fallback';
  readonly severity: 'info' | 'warning' | 'critical';
}

/** The documented `routing` object, exactly: nothing may be added to it. */
export interface RoutingRecord {
  readonly version: 1;
  readonly decidedAt: string;
  readonly rationale: string;
  readonly rationaleCode: RationaleCode;
  readonly contextKey: string;
  readonly overrides: readonly {
    readonly provider: string;
    readonly subproviderId: string;
    readonly action: RoutingOverride['action'];
    readonly reason: string;
    readonly actor: string;
    readonly expiresAt: string | null;
  }[];
  readonly reasons: readonly RoutingReason[];
  readonly candidates: readonly {
    readonly index: number;
    readonly eligible: boolean;
    readonly provider: string;
    readonly subproviderId: string;
    readonly ineligibleReason: IneligibleReason | null;
  }[];
  /** Null only when no candidate is eligible. */
  readonly recommended: { readonly index: number; readonly provider: string; readonly subproviderId: string } | null;
}

/** One account to try, in order. */
export interface PlannedAttempt {
  readonly accountId: string;
  readonly gateway: string;
}

/** A routing decision: the documented record, the plan to try, and the inputs to recompute it from. */
export interface Decision {
  readonly record: RoutingRecord;
  /** Every account that can take the payment, best first: the first is the recommended one, the rest are its fallbacks. */
  readonly plan: readonly PlannedAttempt[];
  readonly routingMode: 'smart' | 'requested';
  readonly smartRoutingBypassed: boolean;
  readonly ruleId: string | null;
  readonly ruleSetVersion: number;
  /** Everything beside the rule set that the decision was taken from; with the rule set's version it can be computed again. */
  readonly inputs: DecisionInputs;
}

/** A draw that is true of a share of customers, by a hash of the salt and their e-mail address: for each of them always the same. */
export type CustomerDraw = {
  readonly salt: string;
  /** Whole percent of customers. */
  readonly percent: number;
};

/** Draws that decided by which rules a customer's payment is routed, with what came of them. */
export type Assignment = {
  /** The draw of a version that is tried with a share of customers, and the arm that this one is in. */
  readonly canary?: CustomerDraw & { readonly canaryId: string; readonly arm: 'draft' | 'live' };
  /** The draw of customers who are routed by the default order alone. */
  readonly holdout?: CustomerDraw & { readonly heldOut: boolean };
};

/**
 * How decisions are taken and worded: what is eligible, the order of the plan, and every sentence. Stored with each decision, so that it is
 * recomputed exactly: once a version has been released, a change of any of these is another policy beside the first.
 */
export const POLICY_VERSION = 1;

/** A policy that decisions are stored with. */
export type PolicyVersion = typeof POLICY_VERSION;

/** The inputs of a decision beside the rule set. */
export interface DecisionInputs {
  readonly policy: PolicyVersion;
  readonly payment: RoutablePayment;
  readonly accounts: readonly RoutableAccount[];
  readonly health: readonly AccountHealth[];
  readonly overrides: readonly RoutingOverride[];
  readonly decidedAt: string;
  /** Absent where no draw was made. */
  readonly assignment?: Assignment;
}

/** The health of an account, by its position among the accounts: the values of {@link AccountHealth} in their order. */
export type KeptHealth = readonly [
  account: number,
  method: PaymentMethod | null,
  state: HealthState,
  why: StoredHealthReason,
  since: string,
  succeeded: number,
  faulted: number,
  paid: number,
  unpaid: number,
  probeSlot: boolean | null,
];

/**
 * Inputs of a decision as its payment keeps them, to be stored as JSON: what changes with each payment. The accounts, which change when
 * staff change them, are kept once, under an id; the payment is the row itself.
 */
export interface KeptInputs {
  readonly policy: PolicyVersion;
  readonly accounts: string;
  readonly health: readonly KeptHealth[];
  readonly overrides: readonly RoutingOverride[];
  readonly decidedAt: string;
  /** The payment's values of keys, as the rules compared them; absent where they compare none. */
  readonly keys?: PaymentKeys;
  readonly assignment?: Assignment;
}
