'use client';

import * as z from 'zod/mini';
import { formatMoney } from '#/format/amounts.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { done, reply } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { DismissDialog, NoteField, noteSchema } from './dismiss-dialog.tsx';
import { type RefundRow, useDismissRefund, useRecordRefund } from './use-refunds.ts';

type FailedRefund = Pick<RefundRow, 'merchantId' | 'refundId' | 'merchantOrderId' | 'amount' | 'currency' | 'failureMessage'>;

/** Dismisses a refund that failed, after showing the consequences. */
export function DismissRefundDialog({ refund, onClose }: { refund: FailedRefund; onClose: () => void }) {
  const dismiss = useDismissRefund();
  const { merchantId, refundId, merchantOrderId, failureMessage } = refund;
  const money = formatMoney(refund.currency, refund.amount);

  async function dismissIt(note: string) {
    const outcome = await dismiss.mutateAsync({ merchantId, refundId, note });
    return reply(outcome, {
      dismissed: () => done(`The failed refund of order ${merchantOrderId} was dismissed.`),
      resolved: 'Another person has dismissed it or refunded it again.',
      not_failed: 'It has not failed.',
    });
  }

  return (
    <DismissDialog
      title="Dismiss this failed refund"
      lead={
        <>
          <strong>{money}</strong> of order <strong>{merchantOrderId}</strong> was not returned. {failureMessage}
        </>
      }
      consequence={`No money moves: ${money} stays with the merchant, and the refund no longer needs attention. The payment can still be refunded.`}
      action="Dismiss the failed refund"
      onDismiss={dismissIt}
      onClose={onClose}
    />
  );
}

type WaitingRefund = Pick<
  RefundRow,
  'merchantId' | 'refundId' | 'merchantOrderId' | 'amount' | 'currency' | 'failureMessage' | 'held'
>;

const CHOICES = [
  { value: 'SUCCEEDED', label: 'The customer was paid', description: 'The refund succeeds, and its merchant is notified.' },
  { value: 'FAILED', label: 'The customer was not paid', description: 'The refund fails: the amount can be refunded again.' },
] as const;
/** Only of one that was held back: any other was sent before. */
const SEND = {
  value: 'REQUESTED',
  label: 'The gateway does not have it: send it now',
  description: 'It was not sent, as it may have been made before the database was restored or taken over.',
} as const;
const schema = z.extend(noteSchema, { state: z.enum(['SUCCEEDED', 'FAILED', 'REQUESTED']) });
const RECORDED = { SUCCEEDED: 'is recorded as paid', FAILED: 'is recorded as failed', REQUESTED: 'is sent' } as const;

/** Records what the gateway's dashboard shows of a refund that needs attention. */
export function RecordRefundDialog({ refund, onClose }: { refund: WaitingRefund; onClose: () => void }) {
  const record = useRecordRefund();
  const { merchantId, refundId, merchantOrderId, failureMessage, held } = refund;
  const form = useForm({
    schema,
    values: { state: 'SUCCEEDED', note: '' },
    async onSubmit({ state, note }) {
      const outcome = await record.mutateAsync({ merchantId, refundId, state, note });
      return reply(outcome, {
        recorded: () => done(`The refund of order ${merchantOrderId} ${RECORDED[state]}.`),
        not_held: 'It no longer needs attention: another person or the gateway has decided it.',
        not_waiting: 'It no longer needs attention: another person or the gateway has decided it.',
      });
    },
    onDone: onClose,
  });
  return (
    <FormDialog
      title="Record the result of this refund"
      form={form}
      action="Record the result"
      variant="danger"
      onClose={onClose}
    >
      <p className="lead">
        <strong>{formatMoney(refund.currency, refund.amount)}</strong> of order <strong>{merchantOrderId}</strong>.{' '}
        {failureMessage}
      </p>
      <form.Radio name="state" label="What the gateway's dashboard shows" choices={held ? [...CHOICES, SEND] : CHOICES} />
      <p className="consequence">This cannot be undone. Never choose that it was not paid without having looked.</p>
      <NoteField form={form} />
    </FormDialog>
  );
}
