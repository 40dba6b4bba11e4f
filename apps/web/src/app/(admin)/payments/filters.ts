import { createLoader, parseAsArrayOf, parseAsBoolean, parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import type { Scope } from '../../../scope/scope.ts';
import { addDays, startOfDay } from '../../../time/moments.ts';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../words/payment-status.ts';

/** What the address says of the list: everything that chooses which payments are in it. */
export const filterParsers = {
  status: parseAsArrayOf(parseAsStringLiteral(PAYMENT_STATUSES)).withDefault([]),
  gateway: parseAsArrayOf(parseAsString).withDefault([]),
  /** `NONE` for payments that named no method. */
  method: parseAsArrayOf(parseAsString).withDefault([]),
  /** Whole main units, both inclusive. */
  min: parseAsInteger,
  max: parseAsInteger,
  rule: parseAsString.withDefault(''),
  customer: parseAsString.withDefault(''),
  q: parseAsString.withDefault(''),
  /** Days, both inclusive: `2026-11-21`. */
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  review: parseAsBoolean.withDefault(false),
};

/** Which columns stand in the list; none for the usual ones. */
export const columnParser = { columns: parseAsArrayOf(parseAsString).withDefault([]) };

/** The payment open beside the list. */
export const panelParser = { payment: parseAsString };

export const loadPaymentsPage = createLoader({ ...filterParsers, ...columnParser, ...panelParser });

export interface PaymentFilters {
  readonly status: readonly PaymentStatus[];
  readonly gateway: readonly string[];
  readonly method: readonly string[];
  readonly min: number | null;
  readonly max: number | null;
  readonly rule: string;
  readonly customer: string;
  readonly q: string;
  readonly from: string;
  readonly to: string;
  readonly review: boolean;
}

export const NO_FILTERS: PaymentFilters = {
  ...{ status: [], gateway: [], method: [], min: null, max: null, rule: '', customer: '' },
  ...{ q: '', from: '', to: '', review: false },
};

const PAGE = 60;

/** The filters as the server takes them. A day that does not exist filters nothing. */
export function toListInput(scope: Scope, filters: PaymentFilters) {
  return { ...toFilterInput(scope, filters), limit: PAGE };
}

/** {@link toListInput} without the page: what an export of the list is asked for by. */
export function toFilterInput(scope: Scope, filters: PaymentFilters) {
  const lastDay = startOfDay(filters.to) === null ? null : addDays(filters.to, 1);
  return {
    merchantId: scope.merchantId,
    mode: scope.mode,
    statuses: [...filters.status],
    gateways: [...filters.gateway],
    methods: [...filters.method],
    minAmount: atLeastZero(filters.min),
    maxAmount: atLeastZero(filters.max),
    ruleId: filters.rule.trim() || null,
    customer: filters.customer.trim() || null,
    search: filters.q.trim() === '' ? null : filters.q.trim(),
    underReview: filters.review,
    from: startOfDay(filters.from),
    to: lastDay === null ? null : startOfDay(lastDay),
  };
}

const AMOUNT_MAX = 1_000_000_000_000;

function atLeastZero(amount: number | null): number | null {
  return amount === null ? null : Math.min(AMOUNT_MAX, Math.max(0, amount));
}

/** Whether anything is filtered at all. */
export function isFiltered(filters: PaymentFilters): boolean {
  const { status, gateway, method, min, max, rule, customer, q, from, to, review } = filters;
  const lists = [status, gateway, method].some((list) => list.length > 0);
  const texts = [rule, customer, q, from, to].some((text) => text.trim() !== '');
  return lists || texts || min !== null || max !== null || review;
}
