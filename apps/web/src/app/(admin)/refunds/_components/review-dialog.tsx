'use client';

import { useState } from 'react';
import * as z from 'zod/mini';
import { showToast } from '#/components/toasts/toast-store.ts';
import { gatewayTitle } from '#/copy/gateways.ts';
import { describeControlRefusal } from '#/copy/refunds.ts';
import { formatMoney } from '#/format/amounts.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useCan } from '#/trpc/use-can.ts';
import { NoteField, noteSchema } from './dismiss-dialog.tsx';
import { type ReviewRow, showApprovalRequested, showRefundRequested, useLiveReview, useResolveReview } from './use-refunds.ts';

/** Closing is chosen among the attempts whose money can be refunded. */
const CLOSE = 'close';
const schema = z.extend(noteSchema, { resolution: z.string() });

/** Resolves a review: refunds the money of one attempt that does not match the order, or closes the review. */
export function ReviewDialog({ review: opened, onClose }: { review: ReviewRow; onClose: () => void }) {
  const can = useCan();
  const review = useLiveReview(opened);
  const { merchantId, paymentId, merchantOrderId } = review;
  const choices = reviewChoices(review);
  const refunds = can('payment:refund', merchantId) ? choices.refunds : [];
  const close = can('payment:review', merchantId) ? choices.close : null;
  const resolve = useResolveReview();
  const form = useForm({
    schema,
    values: useState({ resolution: refunds[0]?.attemptId ?? CLOSE, note: '' })[0],
    async onSubmit({ resolution, note }) {
      const outcome = await decide(resolution, note);
      if (outcome === null) return 'What was chosen is decided already.';
      switch (outcome.kind) {
        case 'requested':
          showRefundRequested(formatMoney(outcome.refund.currency, outcome.refund.amount), merchantOrderId);
          return null;
        case 'closed':
          showToast({ text: `The review of order ${merchantOrderId} is closed.` });
          return null;
        case 'not_open':
        case 'paid_since':
        case 'nothing_left':
        case 'refunding':
        case 'changed':
          return REFUSALS[outcome.kind];
        case 'needs_approval':
          showApprovalRequested(formatMoney(outcome.approval.currency, outcome.approval.amount), merchantOrderId);
          return null;
        case 'needs_reason_code':
        case 'over_daily_limit':
          return describeControlRefusal(outcome, review.receivedCurrency ?? review.currency);
        default:
          return outcome satisfies never;
      }
    },
    onDone: onClose,
  });
  const chosen = form.entered.resolution;
  const refund = refunds.find(({ attemptId }) => attemptId === chosen) ?? null;
  const isGone = refund === null && (chosen !== CLOSE || close === null);

  async function decide(resolution: string, note: string) {
    const key = { merchantId, paymentId, note };
    const wanted = refunds.find(({ attemptId }) => attemptId === resolution);
    if (wanted !== undefined) {
      const { attemptId, amount } = wanted;
      return resolve.refund.mutateAsync({ ...key, attemptId, amount });
    }
    return resolution === CLOSE && close !== null ? resolve.close.mutateAsync({ ...key, attemptIds: [...close] }) : null;
  }

  return (
    <FormDialog
      title="Review this payment"
      form={form}
      action={refund === null ? 'Close the review' : `Refund ${refund.money}`}
      variant="danger"
      disabled={isGone}
      onClose={onClose}
    >
      <p className="lead">
        Order <strong>{merchantOrderId}</strong>. {review.mismatched.length === 0 && review.reviewReason}
      </p>
      {review.mismatched.map((mismatched) => (
        <p key={mismatched.attemptId} className="lead">
          {describeMismatched(mismatched, review)}
        </p>
      ))}
      <form.Radio
        name="resolution"
        label="Resolution"
        choices={[
          ...refunds.map(({ attemptId, money, at }) => ({
            value: attemptId,
            label: `Refund ${money}`,
            ...(refunds.length > 1 && { description: `Through ${at}.` }),
          })),
          ...(close === null
            ? []
            : [
                {
                  value: CLOSE,
                  label: 'Close without a refund',
                  description:
                    review.mismatched.length === 0
                      ? "Nothing was paid, as the gateway's dashboard shows."
                      : 'It was resolved with the customer in another way.',
                },
              ]),
        ]}
      />
      <NoteField form={form} />
      <p className="consequence">
        {isGone
          ? 'What was chosen is decided already.'
          : refund === null
            ? describeClose(review)
            : describeRefund(review, refund)}
      </p>
    </FormDialog>
  );
}

const REFUSALS = {
  not_open: 'Another person has closed this review.',
  paid_since:
    'The payment has been paid since. Any other amount received is listed under Duplicate payments after the next check; close the review.',
  nothing_left: 'A refund of this money was requested already.',
  refunding: 'A refund is processing. The review can be closed when that has ended.',
  changed: 'What is under review has changed. Check the amounts and decide again.',
} as const;

type Mismatched = ReviewRow['mismatched'][number];

/** Options of staff for a review: to return the money of one attempt, or to close it without. */
interface ReviewChoices {
  /** Each attempt's money that a refund can return now. */
  readonly refunds: readonly RefundChoice[];
  /** The attempts that closing leaves as they are; null while a refund of any has not ended, because that may fail. */
  readonly close: readonly string[] | null;
}

/** A refund of one attempt's money. */
interface RefundChoice {
  readonly attemptId: string;
  /** Whole main units. */
  readonly amount: bigint;
  /** The amount that a refund returns: `NGN 2,600.00`. */
  readonly money: string;
  /** Where it was received: `Paystack, reference pay_7`. */
  readonly at: string;
  /** The fraction that refunds cannot move: `NGN 0.25`; null for none. */
  readonly rest: string | null;
}

/** The decisions that a review allows as it is now. */
export function reviewChoices(review: ReviewRow): ReviewChoices {
  const { mismatched } = review;
  const isOpen = ({ state }: Mismatched) => state === 'open';
  return {
    refunds: mismatched.filter((each) => isOpen(each) && each.refundable > 0n).map((each) => refundChoice(each, review)),
    close: mismatched.some(({ state }) => state === 'refunding')
      ? null
      : mismatched.filter(isOpen).map(({ attemptId }) => attemptId),
  };
}

function refundChoice(mismatched: Mismatched, review: ReviewRow): RefundChoice {
  const { attemptId, refundable, remainder } = mismatched;
  const currency = mismatched.receivedCurrency ?? review.currency;
  return {
    attemptId,
    amount: refundable,
    money: formatMoney(currency, refundable),
    at: placeOf(mismatched),
    rest: remainder === '0' ? null : formatMoney(currency, remainder),
  };
}

function placeOf({ gateway, reference }: Mismatched): string {
  return `${gatewayTitle(gateway)}, reference ${reference}`;
}

/** The amount that one attempt received beside the expected one, and the state of the money. */
export function describeMismatched(mismatched: Mismatched, { currency, amount }: ReviewRow): string {
  const received = formatMoney(mismatched.receivedCurrency ?? currency, mismatched.receivedAmount);
  return `${placeOf(mismatched)}: received ${received}, expected ${formatMoney(currency, amount)}${fateOf(mismatched)}.`;
}

function fateOf({ state, failureMessage }: Mismatched): string {
  switch (state) {
    case 'open':
      return failureMessage === null ? '' : `; its refund failed: ${failureMessage.replace(/[.]$/, '')}`;
    case 'refunding':
      return '; a refund is processing';
    case 'returned':
      return '; returned';
    default:
      return state satisfies never;
  }
}

/** Consequence of refunding this money. */
export function describeRefund(review: ReviewRow, { attemptId, money, at, rest }: RefundChoice): string {
  const over = rest === null ? '' : ` Refunds are in whole units: refund the remaining ${rest} in the gateway's dashboard.`;
  return `${money} is returned to the customer through ${at}. This cannot be undone.${over}${endOf(review, attemptId)}`;
}

function endOf({ status, mismatched }: ReviewRow, attemptId: string): string {
  const others = mismatched.filter(
    (each) => each.attemptId !== attemptId && (each.refundable > 0n || each.state === 'refunding'),
  );
  if (others.length > 0) return ' The review stays open for the other amount received.';
  const end = status === 'PENDING' ? ', the payment is marked Failed and its merchant is notified' : '';
  return ` Once it succeeds, the review closes${end}.`;
}

/** Consequence of closing the review without returning anything. */
export function describeClose({ status, currency, amount, mismatched }: ReviewRow): string {
  const end =
    status === 'PENDING' ? 'The payment is marked Failed, and its merchant is notified.' : 'The payment does not change.';
  if (mismatched.length === 0) return `Close it only when the gateway's dashboard shows that nothing was paid. ${end}`;
  return `No money is returned. ${end} It is never marked Succeeded, because ${formatMoney(currency, amount)} was not received.`;
}
