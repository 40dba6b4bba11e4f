/** Fee of one payment: percentage plus flat (waived under a threshold), capped, then VAT on top. Main units; basis points. */
export interface FeeTerms {
  readonly percentBasisPoints: number;
  readonly flat: number;
  readonly flatWaivedBelow: number | null;
  readonly cap: number | null;
  readonly vatBasisPoints: number;
  /** Levied on payments from an amount on, without VAT; absent for none. */
  readonly stampDuty?: { readonly amount: number; readonly from: number };
}

/** Origin of a card: issued in the gateway's country, or not. */
export type CardOrigin = 'local' | 'international';

/** Terms of payments of some methods, of an origin and in a band of amounts. */
export interface FeeException extends FeeTerms {
  /** Canonical payment methods; empty for any. */
  readonly methods: readonly string[];
  /** Null for any. */
  readonly origin: CardOrigin | null;
  /** Whole main units; both ends inclusive, `to` null is open-ended. */
  readonly amount: { readonly from: number; readonly to: number | null };
}

/** The price of a gateway account: the first exception that covers a payment prices it, else the terms themselves do. */
export interface FeeSchedule extends FeeTerms {
  /** Absent for none. */
  readonly exceptions?: readonly FeeException[];
}

/** Where `lowest_cost` and replays take fees from: the contract, or what was charged lately. */
export type FeeBasis = 'contract' | 'effective';

/** The charge for payments of one method and a band of amounts, as a share of their amounts. */
export interface EffectiveRate {
  readonly currency: string;
  readonly method: string;
  /** Whole main units; both ends inclusive, `to` null is open-ended. */
  readonly amount: { readonly from: number; readonly to: number | null };
  /** Fees by amounts, in millionths. */
  readonly rateMillionths: number;
}

/** Finished payments of one method and a band of amounts at an account in the last weeks, and how many of them were paid. */
export interface SuccessRate {
  readonly currency: string;
  readonly method: string;
  /** Whole main units; both ends inclusive, `to` null is open-ended. */
  readonly amount: { readonly from: number; readonly to: number | null };
  readonly paid: number;
  readonly finished: number;
}

/** Facts that the fee of a payment depends on. */
export interface PricedPayment {
  /** Hundredths of the main unit. */
  readonly amount: number;
  readonly method: string | null;
  /** Null where it is not known: then as a local one. */
  readonly origin: CardOrigin | null;
}

/** The fee of a payment, step by step. Hundredths of the main unit. */
export interface FeeComputation {
  /** The terms that apply. */
  readonly terms: FeeTerms;
  /** The place of the exception that they are of, from 0; null for the schedule's own. */
  readonly exception: number | null;
  readonly percentage: number;
  /** Zero where it is waived. */
  readonly flat: number;
  readonly waived: boolean;
  /** Percentage and flat part, at most the cap. */
  readonly capped: number;
  readonly vat: number;
  readonly stampDuty: number;
  readonly total: number;
}
