'use client';

import { type FormEvent, useState } from 'react';
import classes from '#/app/(admin)/payments/_components/actions/refund-dialog.module.css';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { useMay } from '#/trpc/use-may.ts';
import { NoteField, useRequiredNote } from './note-field.tsx';
import { describeClose, describeMismatched, describeRefund, reviewChoices } from './review-choices.ts';
import { type ReviewRow, showRefundRequested, useLiveReview, useResolveReview } from './use-refunds.ts';

/** Closing is chosen among the attempts whose money can be refunded. */
const CLOSE = 'close';

/** Resolves a review: refunds the money of one attempt that does not match the order, or closes the review. */
export function ReviewDialog({ review: opened, onClose }: { review: ReviewRow; onClose: () => void }) {
  const may = useMay();
  const review = useLiveReview(opened);
  const { merchantId, paymentId, merchantOrderId } = review;
  const choices = reviewChoices(review);
  const refunds = may('payment:refund', merchantId) ? choices.refunds : [];
  const close = may('payment:review', merchantId) ? choices.close : null;
  const resolve = useResolveReview();
  const [chosen, setChosen] = useState<string>(refunds[0]?.attemptId ?? CLOSE);
  const note = useRequiredNote();
  const [refusal, setRefusal] = useState<string | null>(null);
  const refund = refunds.find(({ attemptId }) => attemptId === chosen) ?? null;
  const error = resolve.refund.error ?? resolve.close.error;

  async function decide(text: string) {
    const key = { merchantId, paymentId, note: text };
    if (refund !== null) {
      const { attemptId, amount } = refund;
      return resolve.refund.mutateAsync({ ...key, attemptId, amount });
    }
    return chosen === CLOSE && close !== null ? resolve.close.mutateAsync({ ...key, attemptIds: [...close] }) : null;
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    const text = note.validate();
    if (text === null) return;
    const outcome = await decide(text).catch(() => null);
    if (outcome === null) return;
    switch (outcome.kind) {
      case 'requested':
        showRefundRequested(`${outcome.refund.currency} ${groupDecimal(outcome.refund.amount)}`, merchantOrderId);
        return onClose();
      case 'closed':
        showToast({ text: `The review of order ${merchantOrderId} is closed.` });
        return onClose();
      case 'not_open':
      case 'paid_since':
      case 'nothing_left':
      case 'refunding':
      case 'changed':
        return setRefusal(REFUSALS[outcome.kind]);
      default:
        outcome satisfies never;
    }
  }

  const isGone = refund === null && (chosen !== CLOSE || close === null);
  return (
    <Dialog title="Review this payment" dirty={note.text.trim() !== ''} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.lead}>
          Order <strong>{merchantOrderId}</strong>. {review.mismatched.length === 0 && review.reviewReason}
        </p>
        {review.mismatched.map((mismatched) => (
          <p key={mismatched.attemptId} className={classes.lead}>
            {describeMismatched(mismatched, review)}
          </p>
        ))}
        <RadioGroup
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
          value={chosen}
          onChange={(next) => {
            setChosen(next);
            setRefusal(null);
          }}
        />
        <NoteField note={note} />
        <p className={classes.consequence}>
          {isGone
            ? 'What was chosen is decided already.'
            : refund === null
              ? describeClose(review)
              : describeRefund(review, refund)}
        </p>
        <Refusal message={error?.message ?? refusal} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="danger" disabled={isGone} loading={resolve.refund.isPending || resolve.close.isPending}>
            {refund === null ? 'Close the review' : `Refund ${refund.money}`}
          </Button>
        </DialogActions>
      </form>
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
