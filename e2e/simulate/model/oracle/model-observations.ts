import type { Observations } from '../../../world/checker/observations.ts';
import type { Tables } from '../store/rows.ts';
import type { GatewayAccountBooks } from '../world/gateways.ts';
import type { ModelViolation } from './model-violation.ts';

/** A request that must not be granted, and what became of it. */
export interface Refusal {
  readonly what: string;
  readonly paymentId: string;
  readonly got: string;
  readonly isRefused: boolean;
}

/** Observations of a world for its oracle: that of all worlds, the tables, and the gateways' books. */
export interface ModelObservations extends Omit<Observations, 'statements' | 'calls'> {
  readonly tables: Tables;
  readonly books: readonly GatewayAccountBooks[];
  /** Ids of notices that were answered 200. */
  readonly acknowledgedNotices: ReadonlySet<string>;
  readonly refusals: readonly Refusal[];
  /** Where the product judges the payouts of the end otherwise than the books. */
  readonly payouts: readonly ModelViolation[];
  /** Errors of the driver: a payment without an answer. */
  readonly errors: readonly string[];
}
