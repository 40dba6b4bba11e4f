import { createLoader, parseAsArrayOf, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { periodBounds } from '#/components/filter-bar/period.ts';
import { type FiltersOf, isAnySet, type ListSort, listParsers, readSort } from '#/components/list/list-parsers.ts';
import { pagesEvery } from '#/components/list/noun-query.ts';
import {
  APPROVAL_STATES,
  type ApprovalState,
  CHARGE_STATES,
  type ChargeState,
  REFUND_STATES,
  type RefundState,
} from '#/copy/refunds.ts';
import { isUuid } from '#/format/uuid.ts';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import type { Trpc } from '#/trpc/outputs.ts';

/** The lists of the refunds page, in the order of its tabs. */
export const TABS = ['refunds', 'approvals', 'duplicates', 'reviews'] as const;

/** A list of the refunds page. */
export type Tab = (typeof TABS)[number];

/** The page's state in the URL: which of the lists, and its filters. */
export const moneyParsers = {
  tab: parseAsStringLiteral(TABS).withDefault('refunds'),
  /** States of the list shown; states of another list are ignored. */
  state: parseAsArrayOf(parseAsStringLiteral([...new Set([...REFUND_STATES, ...CHARGE_STATES, ...APPROVAL_STATES])])).withDefault(
    [],
  ),
  gateway: parseAsArrayOf(parseAsString).withDefault([]),
  payment: parseAsString.withDefault(''),
  q: parseAsString.withDefault(''),
  /** Days, both inclusive: `2026-11-21`, `today-6`. */
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
};

/** Reads the page's state from the URL, on the server. */
export const loadMoneyPage = createLoader({ ...moneyParsers, sort: listParsers.sort });

/** The filters of the refunds page. */
export type MoneyFilters = FiltersOf<typeof moneyParsers>;

/** Clears every filter in the URL; the list stays. */
export const NO_FILTERS = { state: null, gateway: null, payment: null, q: null, from: null, to: null } as const;

const PAGE = 60;

/** The orders of duplicate charges and reviews. */
export const TIME_ORDERS: readonly [ListSort, ...ListSort[]] = [{ by: 'created', descending: true }];

/** The orders of refunds, the default one first. */
export const REFUND_ORDERS: readonly [ListSort, ...ListSort[]] = [...TIME_ORDERS, { by: 'amount', descending: true }] as const;

/** The filters that refunds and duplicate charges share, as the server takes them. What cannot be read filters nothing. */
export function toMoneyFilter(scope: Scope, filters: MoneyFilters) {
  const { first, end } = periodBounds(filters);
  return {
    ...scopeFilter(scope),
    createdFrom: first,
    createdTo: end,
    gateways: [...filters.gateway],
    paymentId: isUuid(filters.payment) ? filters.payment : null,
    search: filters.q.trim() || null,
  };
}

/** A page of refunds. */
export function toRefundsInput(scope: Scope, filters: MoneyFilters, sort: string) {
  const { by, descending } = readSort(sort, REFUND_ORDERS);
  const order = { by: by === 'amount' ? 'amount' : 'created', descending } as const;
  return { ...toMoneyFilter(scope, filters), states: refundStates(filters), sort: order, limit: PAGE };
}

/** A page of refunds that need a second person. */
export function toApprovalsInput(scope: Scope, filters: MoneyFilters, sort: string) {
  return { ...toRefundsInput(scope, filters, sort), states: approvalStates(filters) };
}

/** A page of duplicate charges. */
export function toChargesInput(scope: Scope, filters: MoneyFilters, sort: string) {
  return { ...toMoneyFilter(scope, filters), states: chargeStates(filters), sort: byTime(sort), limit: PAGE };
}

/** The filters of payments under review. */
export function toReviewFilter(scope: Scope, filters: MoneyFilters) {
  const { paymentId, search, ...filter } = toMoneyFilter(scope, filters);
  return { ...filter, search: search ?? paymentId };
}

/** A page of payments under review. */
export function toReviewsInput(scope: Scope, filters: MoneyFilters, sort: string) {
  return { ...toReviewFilter(scope, filters), sort: byTime(sort), limit: PAGE };
}

function byTime(sort: string) {
  return { by: 'created', descending: readSort(sort, TIME_ORDERS).descending } as const;
}

/** The chosen states that refunds have; the URL's other ones are ignored. */
export function refundStates({ state }: MoneyFilters): RefundState[] {
  return REFUND_STATES.filter((name) => state.includes(name));
}

/** The chosen states that duplicate charges have; the URL's other ones are ignored. */
export function chargeStates({ state }: MoneyFilters): ChargeState[] {
  return CHARGE_STATES.filter((name) => state.includes(name));
}

/** The chosen states that refunds have which need a second person; the URL's other ones are ignored. */
export function approvalStates({ state }: MoneyFilters): ApprovalState[] {
  return APPROVAL_STATES.filter((name) => state.includes(name));
}

/** True if anything is filtered at all. */
export function isFiltered({ state, gateway, payment, q, from, to }: MoneyFilters): boolean {
  return isAnySet({ state, gateway, payment, q, from, to });
}

/** The search alone, without the filters that may hide what it finds. */
export function onlySearch({ tab, q }: MoneyFilters): MoneyFilters {
  return { tab, q, state: [], gateway: [], payment: '', from: '', to: '' };
}

const REFRESH_MS = 10_000;

/** Refunds of these filters. */
export const refundsQuery = (trpc: Trpc, scope: Scope, filters: MoneyFilters, sort: string) =>
  trpc.refunds.list.infiniteQueryOptions(toRefundsInput(scope, filters, sort), pagesEvery(REFRESH_MS));

/** Refunds of these filters that need a second person. */
export const approvalsQuery = (trpc: Trpc, scope: Scope, filters: MoneyFilters, sort: string) =>
  trpc.refunds.approvals.list.infiniteQueryOptions(toApprovalsInput(scope, filters, sort), pagesEvery(REFRESH_MS));

/** Duplicate charges of these filters. */
export const chargesQuery = (trpc: Trpc, scope: Scope, filters: MoneyFilters, sort: string) =>
  trpc.refunds.duplicates.list.infiniteQueryOptions(toChargesInput(scope, filters, sort), pagesEvery(REFRESH_MS));

/** Payments under review of these filters. */
export const reviewsQuery = (trpc: Trpc, scope: Scope, filters: MoneyFilters, sort: string) =>
  trpc.refunds.reviews.list.infiniteQueryOptions(toReviewsInput(scope, filters, sort), pagesEvery(REFRESH_MS));
