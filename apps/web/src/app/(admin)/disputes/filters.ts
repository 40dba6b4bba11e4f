import { createLoader, parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { DISPUTE_STATES, type Dispute } from '#/copy/disputes.ts';
import { type Scope, scopeFilter } from '#/scope/scope.ts';

/** The page's state in the URL; without a state the open disputes are listed. */
export const filterParsers = {
  state: parseAsArrayOf(parseAsStringLiteral(DISPUTE_STATES)).withDefault([]),
  gateway: parseAsArrayOf(parseAsString).withDefault([]),
};

/** Reads the page's state from the URL, on the server. */
export const loadDisputesPage = createLoader(filterParsers);

/** The filters of the page. */
export interface DisputesFilters {
  readonly state: readonly Dispute['state'][];
  readonly gateway: readonly string[];
}

const OPEN: readonly Dispute['state'][] = ['NEEDS_RESPONSE', 'UNDER_REVIEW'];
const PAGE = 60;

/** The disputes of a scope, without their states. */
export function toCountsInput(scope: Scope, { gateway }: Pick<DisputesFilters, 'gateway'>) {
  return { ...scopeFilter(scope), gateways: [...gateway] };
}

/** A page of disputes. */
export function toDisputesInput(scope: Scope, filters: DisputesFilters) {
  const { state } = filters;
  return { ...toCountsInput(scope, filters), states: [...(state.length === 0 ? OPEN : state)], limit: PAGE };
}
