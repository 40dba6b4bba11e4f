import { createLoader, parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import type { FiltersOf } from '#/components/list/list-parsers.ts';
import { pagesEvery } from '#/components/list/noun-query.ts';
import { DISPUTE_STATES, type Dispute } from '#/copy/disputes.ts';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import type { Trpc } from '#/trpc/outputs.ts';

/** The page's state in the URL; without a state the open disputes are listed, of a search those of any state. */
export const filterParsers = {
  state: parseAsArrayOf(parseAsStringLiteral(DISPUTE_STATES)).withDefault([]),
  gateway: parseAsArrayOf(parseAsString).withDefault([]),
  q: parseAsString.withDefault(''),
};

/** Reads the page's state from the URL, on the server. */
export const loadDisputesPage = createLoader(filterParsers);

/** The filters of the page. */
export type DisputesFilters = FiltersOf<typeof filterParsers>;

const OPEN: readonly Dispute['state'][] = ['NEEDS_RESPONSE', 'UNDER_REVIEW'];
const PAGE = 60;

/** The disputes of a scope, without their states. */
export function toCountsInput(scope: Scope, { gateway, q }: Pick<DisputesFilters, 'gateway' | 'q'>) {
  return { ...scopeFilter(scope), gateways: [...gateway], search: q.trim() || null };
}

/** The disputes the page is of, as the server takes them. */
export function toDisputeFilter(scope: Scope, filters: DisputesFilters) {
  const { state, q } = filters;
  const usual = q.trim() === '' ? OPEN : [];
  return { ...toCountsInput(scope, filters), states: [...(state.length === 0 ? usual : state)] };
}

/** A page of disputes. */
export function toDisputesInput(scope: Scope, filters: DisputesFilters) {
  return { ...toDisputeFilter(scope, filters), limit: PAGE };
}

/** Disputes of these filters, those that are due first. */
export const disputesQuery = (trpc: Trpc, scope: Scope, filters: DisputesFilters) =>
  trpc.disputes.list.infiniteQueryOptions(toDisputesInput(scope, filters), pagesEvery(15_000));
