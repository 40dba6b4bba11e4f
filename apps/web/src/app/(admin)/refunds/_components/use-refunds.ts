'use client';

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import type { ListCount } from '#/components/list/list-end.tsx';
import { useNounList } from '#/components/list/use-noun-list.ts';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeReason, REFUND_LABELS } from '#/copy/refunds.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import {
  approvalsQuery,
  chargesQuery,
  type MoneyFilters,
  refundsQuery,
  reviewsQuery,
  toMoneyFilter,
  toReviewFilter,
} from '../filters.ts';

/** A line of the list of refunds. */
export type RefundRow = RouterOutputs['refunds']['list']['items'][number];

/** A line of the list of refunds that need a second person. */
export type ApprovalRow = RouterOutputs['refunds']['approvals']['list']['items'][number];

/** A line of the list of duplicate charges. */
export type ChargeRow = RouterOutputs['refunds']['duplicates']['list']['items'][number];

/** A line of the list of payments under review. */
export type ReviewRow = RouterOutputs['refunds']['reviews']['list']['items'][number];

const REFRESH_MS = 10_000;
const COUNTS_REFRESH_MS = 30_000;

/** The refunds of the scope and these filters, page after page. */
export function useRefunds(filters: MoneyFilters, sort: string) {
  return useNounList(refundsQuery(useTRPC(), useScope(), filters, sort));
}

/** The refunds of the scope and these filters that need a second person. */
export function useApprovals(filters: MoneyFilters, sort: string) {
  return useNounList(approvalsQuery(useTRPC(), useScope(), filters, sort));
}

/** The duplicate charges of the scope and these filters. */
export function useCharges(filters: MoneyFilters, sort: string) {
  return useNounList(chargesQuery(useTRPC(), useScope(), filters, sort));
}

/** The payments under review of the scope and these filters. */
export function useReviews(filters: MoneyFilters, sort: string) {
  return useNounList(reviewsQuery(useTRPC(), useScope(), filters, sort));
}

/** The numbers of refunds that these filters have in each state, whatever states they name; undefined while not known. */
export function useRefundCounts(filters: MoneyFilters, enabled: boolean): RefundCounts | undefined {
  const trpc = useTRPC();
  const filter = { ...toMoneyFilter(useScope(), filters), states: [] };
  const { data } = useQuery(
    trpc.refunds.counts.queryOptions(filter, { enabled, placeholderData: keepPreviousData, refetchInterval: COUNTS_REFRESH_MS }),
  );
  return data ?? undefined;
}

/** The numbers of duplicate charges that these filters have in each state; undefined while not known. */
export function useChargeCounts(filters: MoneyFilters, enabled: boolean): ChargeCounts | undefined {
  const trpc = useTRPC();
  const filter = { ...toMoneyFilter(useScope(), filters), states: [] };
  const { data } = useQuery(
    trpc.refunds.duplicates.counts.queryOptions(filter, {
      enabled,
      placeholderData: keepPreviousData,
      refetchInterval: COUNTS_REFRESH_MS,
    }),
  );
  return data ?? undefined;
}

/** The number of payments under review that these filters have; undefined while not known. */
export function useReviewCount(filters: MoneyFilters): ListCount | undefined {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.payments.counts.queryOptions(
      { ...toReviewFilter(useScope(), filters), underReview: true },
      { placeholderData: keepPreviousData, refetchInterval: COUNTS_REFRESH_MS },
    ),
  );
  return data?.all;
}

type ChargeCounts = NonNullable<RouterOutputs['refunds']['duplicates']['counts']>;
type RefundCounts = NonNullable<RouterOutputs['refunds']['counts']>;

/** Confirms that a refund is on record. Its progress is shown on the payment's page and in the list of refunds. */
export function showRefundRequested(money: string, merchantOrderId: string): void {
  showToast({ text: `Refund requested: ${money} of order ${merchantOrderId}.` });
}

/** Confirms that a refund waits for a second person. */
export function showApprovalRequested(money: string, merchantOrderId: string): void {
  showToast({ text: `Another person has to approve the refund of ${money} of order ${merchantOrderId}. It is under Approvals.` });
}

/** Refreshes every view of money after a change. */
export function useShowChange(): () => Promise<unknown> {
  const trpc = useTRPC();
  const queries = useQueryClient();
  return useCallback(
    () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: trpc.refunds.pathKey() }),
        queries.invalidateQueries({ queryKey: trpc.payments.pathKey() }),
        queries.invalidateQueries({ queryKey: trpc.attention.pathKey() }),
      ]),
    [trpc, queries],
  );
}

/** Checks a refund at its gateway now. */
export function useSyncRefund() {
  const trpc = useTRPC();
  const show = useShowChange();
  return useMutation(
    trpc.refunds.look.mutationOptions({
      onSuccess: async ({ state, gateway }) => {
        await show();
        showToast({ text: `Checked at ${gateway}: the refund is ${REFUND_LABELS[state].word.toLowerCase()}.` });
      },
      onError: ({ message }) => void showToast({ text: message, tone: 'bad' }),
    }),
  );
}

/** Records that a failed refund needs no replacement. */
export function useDismissRefund() {
  const trpc = useTRPC();
  const onSuccess = useShowChange();
  return useMutation(trpc.refunds.dismiss.mutationOptions({ onSuccess }));
}

/** Ends a refund that needs attention as the gateway's dashboard shows it. */
export function useRecordRefund() {
  const trpc = useTRPC();
  const onSuccess = useShowChange();
  return useMutation(trpc.refunds.record.mutationOptions({ onSuccess }));
}

/** Refunds a duplicate charge, or records that it needs no refund. */
export function useDecideCharge() {
  const trpc = useTRPC();
  const onSuccess = useShowChange();
  return {
    refund: useMutation(trpc.refunds.duplicates.refund.mutationOptions({ onSuccess })),
    dismiss: useMutation(trpc.refunds.duplicates.dismiss.mutationOptions({ onSuccess })),
  };
}

/**
 * A review as it is now: more money may be received, or another person may decide, while it is looked at. One that is no longer open
 * stays as it was last.
 */
export function useLiveReview(opened: ReviewRow): ReviewRow {
  const trpc = useTRPC();
  const { merchantId, mode, paymentId } = opened;
  const { data } = useQuery(
    trpc.refunds.reviews.list.queryOptions(
      { merchantIds: [merchantId], mode, search: paymentId, limit: 1 },
      { refetchInterval: REFRESH_MS },
    ),
  );
  const [last, setLast] = useState(opened);
  const [found = last] = data?.items ?? [];
  if (found !== last) setLast(found);
  return found;
}

export function useResolveReview() {
  const trpc = useTRPC();
  const onSuccess = useShowChange();
  return {
    refund: useMutation(trpc.refunds.reviews.refund.mutationOptions({ onSuccess })),
    close: useMutation(trpc.refunds.reviews.close.mutationOptions({ onSuccess })),
  };
}

/** Decides a refund that needs a second person. */
export function useDecideApproval() {
  const trpc = useTRPC();
  const onSuccess = useShowChange();
  return {
    approve: useMutation(trpc.refunds.approvals.approve.mutationOptions({ onSuccess })),
    decline: useMutation(trpc.refunds.approvals.decline.mutationOptions({ onSuccess })),
    withdraw: useMutation(trpc.refunds.approvals.withdraw.mutationOptions({ onSuccess })),
  };
}

/** The reason of a refund that needs a second person, or what kind of money it returns. */
export function purposeOf({ kind, note, ...reason }: ApprovalRow): string {
  if (kind === 'duplicate') return 'Duplicate payment';
  if (kind === 'mismatched') return note === null ? 'Amount mismatch' : `Amount mismatch, ${note}`;
  return describeReason(reason) ?? 'No reason given';
}
