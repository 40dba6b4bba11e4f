'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { Dialog, DialogActions } from '../../../../components/dialog/dialog.tsx';
import { RadioGroup } from '../../../../components/radio-group/radio-group.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { gatewayTitle } from '../../../../copy/gateways.ts';
import { groupAmount, groupDecimal } from '../../../../format/amounts.ts';
import { useMay } from '../../../../trpc/use-may.ts';
import classes from '../../payments/_components/refund-dialog.module.css';
import { NoteField, useRequiredNote } from './note-field.tsx';
import { type ReviewRow, showRefundRequested, useResolveReview } from './use-money.ts';

/** Resolves a review: refunds money that does not match its order, or closes it. */
export function ReviewDialog({ review, onClose }: { review: ReviewRow; onClose: () => void }) {
  const may = useMay();
  const mayRefund = may('payment:refund', review.merchantId) && review.receivedAmount !== null;
  const mayClose = may('payment:review', review.merchantId);
  const resolve = useResolveReview();
  const [by, setBy] = useState<'refund' | 'close'>(mayRefund ? 'refund' : 'close');
  const note = useRequiredNote();
  const [refusal, setRefusal] = useState<string | null>(null);
  const chosen = resolve[by];
  const { whole, rest } = refundableParts(review);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const text = note.validate();
    if (text === null) return;
    const { merchantId, paymentId } = review;
    const outcome = await chosen.mutateAsync({ merchantId, paymentId, note: text }).catch(() => null);
    if (outcome === null) return;
    switch (outcome.kind) {
      case 'requested':
        showRefundRequested(`${review.currency} ${groupAmount(outcome.refund.amount)}`, review.merchantOrderId);
        return onClose();
      case 'closed':
        showToast({ text: `The review of order ${review.merchantOrderId} is closed.` });
        return onClose();
      case 'not_open':
      case 'paid_since':
      case 'nothing_left':
        return setRefusal(REFUSALS[outcome.kind]);
      default:
        outcome satisfies never;
    }
  }

  return (
    <Dialog title="Review this payment" keep={note.text.trim() !== ''} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.lead}>
          Order <strong>{review.merchantOrderId}</strong> at {gatewayTitle(review.gateway)}. {review.reviewReason}
        </p>
        <RadioGroup
          label="Resolution"
          choices={[
            ...(mayRefund ? [{ value: 'refund' as const, label: `Refund ${whole} and close the review` }] : []),
            ...(mayClose
              ? [
                  {
                    value: 'close' as const,
                    label: 'Close without a refund',
                    hint: 'It was resolved with the customer in another way.',
                  },
                ]
              : []),
          ]}
          value={by}
          onChange={(next) => {
            setBy(next);
            setRefusal(null);
          }}
        />
        <NoteField note={note} />
        <p className={classes.consequence}>{by === 'refund' ? describeRefund(review, whole, rest) : describeClose(review)}</p>
        <Refusal message={chosen.error?.message ?? refusal} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" tone="danger" busy={chosen.isPending}>
            {by === 'refund' ? `Refund ${whole}` : 'Close the review'}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** What refunds can move, whole units, and what is over. */
function refundableParts({ receivedAmount, receivedCurrency, currency }: ReviewRow): { whole: string; rest: string | null } {
  const [units = '0', fraction] = (receivedAmount ?? '0').split('.');
  const name = receivedCurrency ?? currency;
  return { whole: `${name} ${groupDecimal(units)}`, rest: fraction === undefined ? null : `${name} 0.${fraction}` };
}

function describeRefund({ gateway, status }: ReviewRow, whole: string, rest: string | null): string {
  const over = rest === null ? '' : ` Refunds are in whole units: refund the remaining ${rest} in the gateway's dashboard.`;
  const end = status === 'PENDING' ? ' Once it succeeds, the payment is marked Failed and its merchant is notified.' : '';
  return `${whole} is returned to the customer through ${gatewayTitle(gateway)}. This cannot be undone.${over}${end}`;
}

function describeClose({ status, currency, amount }: ReviewRow): string {
  const end =
    status === 'PENDING' ? 'The payment is marked Failed, and its merchant is notified.' : 'The payment does not change.';
  return `No money is returned. ${end} It is never marked Succeeded, because ${currency} ${groupAmount(amount)} was not received.`;
}

const REFUSALS = {
  not_open: 'Another person has closed this review.',
  paid_since:
    'The payment has been paid since. Any other amount received is listed under Duplicate payments after the next check; close the review.',
  nothing_left: 'Nothing is left to refund. Close the review.',
} as const;
