import { createLoader, parseAsArrayOf, parseAsBoolean, parseAsString, parseAsStringLiteral } from 'nuqs/server';
import type { Scope } from '../../../scope/scope.ts';
import { addDays, startOfDay } from '../../../time/moments.ts';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../words/payment-status.ts';

/** What the address says of the list: everything that chooses which payments are in it. */
export const filterParsers = {
  status: parseAsArrayOf(parseAsStringLiteral(PAYMENT_STATUSES)).withDefault([]),
  gateway: parseAsArrayOf(parseAsString).withDefault([]),
  q: parseAsString.withDefault(''),
  /** Days, both inclusive: `2026-11-21`. */
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  review: parseAsBoolean.withDefault(false),
};

/** The payment open beside the list. */
export const panelParser = { payment: parseAsString };

export const loadPaymentsPage = createLoader({ ...filterParsers, ...panelParser });

export interface PaymentFilters {
  readonly status: readonly PaymentStatus[];
  readonly gateway: readonly string[];
  readonly q: string;
  readonly from: string;
  readonly to: string;
  readonly review: boolean;
}

export const NO_FILTERS: PaymentFilters = { status: [], gateway: [], q: '', from: '', to: '', review: false };

const PAGE = 60;

/** The filters as the server takes them. A day that does not exist filters nothing. */
export function toListInput(scope: Scope, filters: PaymentFilters) {
  const lastDay = startOfDay(filters.to) === null ? null : addDays(filters.to, 1);
  return {
    merchantId: scope.merchantId,
    mode: scope.mode,
    statuses: [...filters.status],
    gateways: [...filters.gateway],
    search: filters.q.trim() === '' ? null : filters.q.trim(),
    underReview: filters.review,
    from: startOfDay(filters.from),
    to: lastDay === null ? null : startOfDay(lastDay),
    limit: PAGE,
  };
}

/** Whether anything is filtered at all. */
export function isFiltered({ status, gateway, q, from, to, review }: PaymentFilters): boolean {
  return status.length > 0 || gateway.length > 0 || q.trim() !== '' || from !== '' || to !== '' || review;
}
