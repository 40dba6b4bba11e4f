import type { PaymentFilters } from '#/app/(admin)/payments/filters.ts';
import type { FailureReason } from '#/copy/failure-reasons.ts';
import type { PaymentStatus } from '#/copy/payment-status.ts';

/** A change of the filters; null clears one. */
export type FilterChange = {
  status?: PaymentStatus[] | null;
  gateway?: string[] | null;
  at?: string | null;
  method?: string[] | null;
  min?: number | null;
  max?: number | null;
  rule?: string | null;
  reason?: FailureReason[] | null;
  account?: string | null;
  fallback?: string[] | null;
  affected?: string[] | null;
  outcome?: PaymentFilters['outcome'][number][] | null;
  currency?: string | null;
  customer?: string | null;
  q?: string | null;
  from?: string | null;
  to?: string | null;
  review?: boolean | null;
  reversed?: boolean | null;
  disputed?: boolean | null;
};
