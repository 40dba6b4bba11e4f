import { createLoader, parseAsArrayOf, parseAsBoolean, parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { periodBounds } from '#/components/filter-bar/period.ts';
import { type FiltersOf, isAnySet, type ListSort, listParsers, readSort } from '#/components/list/list-parsers.ts';
import { pagesEvery } from '#/components/list/noun-query.ts';
import { FAILURE_REASONS } from '#/copy/failure-reasons.ts';
import { LISTED_OUTCOMES } from '#/copy/incident-impact.ts';
import { PAYMENT_STATUSES } from '#/copy/payment-status.ts';
import { isUuid } from '#/format/uuid.ts';
import { viewerZone } from '#/format/zone.ts';
import { type Scope, scopeFilter } from '#/scope/scope.ts';
import type { Trpc } from '#/trpc/outputs.ts';

/** The filters of the list in the URL. */
export const filterParsers = {
  status: parseAsArrayOf(parseAsStringLiteral(PAYMENT_STATUSES)).withDefault([]),
  /** `NONE` for payments that no gateway could take. */
  gateway: parseAsArrayOf(parseAsString).withDefault([]),
  /** The gateway that was paid, else the one that opened the checkout; `NONE` for neither. */
  at: parseAsString.withDefault(''),
  /** `NONE` for payments that named no method. */
  method: parseAsArrayOf(parseAsString).withDefault([]),
  /** Whole main units, both inclusive. */
  min: parseAsInteger,
  max: parseAsInteger,
  /** `NONE` for payments that no rule routed. */
  rule: parseAsString.withDefault(''),
  /** Why they failed. */
  reason: parseAsArrayOf(parseAsStringLiteral(FAILURE_REASONS)).withDefault([]),
  account: parseAsString.withDefault(''),
  /** Gateways that failed to open a checkout, so that another gateway was tried. */
  fallback: parseAsArrayOf(parseAsString).withDefault([]),
  /** Incidents whose fault they met. */
  affected: parseAsArrayOf(parseAsString).withDefault([]),
  /** Their outcomes in these incidents. */
  outcome: parseAsArrayOf(parseAsStringLiteral(LISTED_OUTCOMES)).withDefault([]),
  /** ISO 4217 code of their amounts. */
  currency: parseAsString.withDefault(''),
  customer: parseAsString.withDefault(''),
  q: parseAsString.withDefault(''),
  /** Days, both inclusive: `2026-11-21`, `today-6`. Or moments, the second exclusive: `2026-11-21T14:00:00Z`. */
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  review: parseAsBoolean.withDefault(false),
  /** A gateway took money back. */
  reversed: parseAsBoolean.withDefault(false),
  /** A dispute is open. */
  disputed: parseAsBoolean.withDefault(false),
};

/** The payment open beside the list. */
export const panelParser = { payment: parseAsString };

/** Menu that the page's address opens: the formats to export in. */
export const doingParser = { do: parseAsStringLiteral(['export'] as const) };

/** Reads the page's state from the URL, on the server. */
export const loadPaymentsPage = createLoader({ ...filterParsers, ...panelParser, sort: listParsers.sort });

/** The filters of the payments page. */
export type PaymentFilters = FiltersOf<typeof filterParsers>;

/** Filters that match every payment of the scope. */
export const NO_FILTERS: PaymentFilters = {
  status: [],
  gateway: [],
  method: [],
  reason: [],
  fallback: [],
  affected: [],
  outcome: [],
  currency: '',
  min: null,
  max: null,
  rule: '',
  account: '',
  customer: '',
  at: '',
  q: '',
  from: '',
  to: '',
  review: false,
  reversed: false,
  disputed: false,
};

const PAGE = 60;

/** The filters as the server takes them. A day that does not exist filters nothing. */
export function toPaymentFilter(scope: Scope, filters: PaymentFilters) {
  const { first, end } = periodBounds(filters);
  const ruleId = filters.rule.trim();
  return {
    ...scopeFilter(scope),
    displayStatuses: [...filters.status],
    gateways: [...filters.gateway],
    methods: [...filters.method],
    amountFrom: atLeastZero(filters.min),
    amountTo: atLeastZero(filters.max),
    openedAt: filters.at || null,
    failureReasons: [...filters.reason],
    ruleIds: ruleId === '' ? [] : [ruleId],
    accountIds: isUuid(filters.account) ? [filters.account] : [],
    fellBackFrom: [...filters.fallback],
    affectedByIncident: filters.affected.filter(isUuid),
    incidentOutcomes: [...filters.outcome],
    currency: CURRENCY.test(filters.currency) ? filters.currency : null,
    customer: filters.customer.trim() || null,
    search: filters.q.trim() || null,
    zone: viewerZone(),
    underReview: filters.review ? true : null,
    reversed: filters.reversed ? true : null,
    disputed: filters.disputed ? true : null,
    createdFrom: first,
    createdTo: end,
  };
}

/** The orders of the list, the default one first. */
export const PAYMENT_ORDERS: readonly [ListSort, ...ListSort[]] = [
  { by: 'created', descending: true },
  { by: 'amount', descending: true },
];

/** A page of the filtered list, in the order that the URL names. */
export function toListInput(scope: Scope, filters: PaymentFilters, sort: string) {
  const { by, descending } = readSort(sort, PAYMENT_ORDERS);
  const order = { by: by === 'amount' ? 'amount' : 'created', descending } as const;
  return { ...toPaymentFilter(scope, filters), sort: order, limit: PAGE };
}

const CURRENCY = /^[A-Z]{3}$/;

const AMOUNT_MAX = 1_000_000_000_000;

function atLeastZero(amount: number | null): number | null {
  return amount === null ? null : Math.min(AMOUNT_MAX, Math.max(0, amount));
}

/** True if anything is filtered at all. */
export function isFiltered(filters: PaymentFilters): boolean {
  return isAnySet(filters, Object.keys(filterParsers));
}

/** Payments of these filters. */
export const paymentsQuery = (trpc: Trpc, scope: Scope, filters: PaymentFilters, sort: string) =>
  trpc.payments.list.infiniteQueryOptions(toListInput(scope, filters, sort), pagesEvery(15_000));
