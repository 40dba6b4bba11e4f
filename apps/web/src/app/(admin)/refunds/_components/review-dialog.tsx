'use client';

import { useState } from 'react';
import * as z from 'zod/mini';
import classes from '#/app/(admin)/payments/_components/actions/refund-dialog.module.css';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeControlRefusal } from '#/copy/refunds.ts';
import { formatMoney } from '#/format/amounts.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useCan } from '#/trpc/use-can.ts';
import { NoteField, noteSchema } from './note-field.tsx';
import { describeClose, describeMismatched, describeRefund, reviewChoices } from './review-choices.ts';
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
      switch (outcome?.kind) {
        case undefined:
          return null;
        case 'requested':
          showRefundRequested(formatMoney(outcome.refund.currency, outcome.refund.amount), merchantOrderId);
          onClose();
          return null;
        case 'closed':
          showToast({ text: `The review of order ${merchantOrderId} is closed.` });
          onClose();
          return null;
        case 'not_open':
        case 'paid_since':
        case 'nothing_left':
        case 'refunding':
        case 'changed':
          return REFUSALS[outcome.kind];
        case 'needs_approval':
          showApprovalRequested(formatMoney(outcome.approval.currency, outcome.approval.amount), merchantOrderId);
          onClose();
          return null;
        case 'needs_reason_code':
        case 'over_daily_limit':
          return describeControlRefusal(outcome, review.receivedCurrency ?? review.currency);
        default:
          return outcome satisfies never;
      }
    },
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
    <Dialog title="Review this payment" onClose={onClose}>
      <Form form={form} className="grid gap-4">
        <p className={classes.lead}>
          Order <strong>{merchantOrderId}</strong>. {review.mismatched.length === 0 && review.reviewReason}
        </p>
        {review.mismatched.map((mismatched) => (
          <p key={mismatched.attemptId} className={classes.lead}>
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
        <p className={classes.consequence}>
          {isGone
            ? 'What was chosen is decided already.'
            : refund === null
              ? describeClose(review)
              : describeRefund(review, refund)}
        </p>
        <FormActions
          action={refund === null ? 'Close the review' : `Refund ${refund.money}`}
          variant="danger"
          disabled={isGone}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
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
