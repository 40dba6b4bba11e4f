'use client';

import { type FormEvent, useState } from 'react';
import classes from '#/app/(admin)/payments/_components/actions/refund-dialog.module.css';
import { Button } from '#/components/button/button.tsx';
import { Dialog, DialogActions } from '#/components/dialog/dialog.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { NoteField, useRequiredNote } from './note-field.tsx';
import { type RefundRow, useRecordRefund } from './use-refunds.ts';

type WaitingRefund = Pick<RefundRow, 'merchantId' | 'refundId' | 'merchantOrderId' | 'amount' | 'currency' | 'failureMessage'>;

const CHOICES = [
  { value: 'SUCCEEDED', label: 'The customer was paid', description: 'The refund succeeds, and its merchant is notified.' },
  { value: 'FAILED', label: 'The customer was not paid', description: 'The refund fails: the amount can be refunded again.' },
] as const;

/** Records what the gateway's dashboard shows of a refund that needs attention. */
export function RecordRefundDialog({ refund, onClose }: { refund: WaitingRefund; onClose: () => void }) {
  const record = useRecordRefund();
  const note = useRequiredNote();
  const [state, setState] = useState<'SUCCEEDED' | 'FAILED'>('SUCCEEDED');
  const [refusal, setRefusal] = useState<string | null>(null);
  const { merchantId, refundId, merchantOrderId, failureMessage } = refund;

  async function submit(event: FormEvent) {
    event.preventDefault();
    const text = note.validate();
    if (text === null) return;
    const outcome = await record.mutateAsync({ merchantId, refundId, state, note: text }).catch(() => null);
    switch (outcome?.kind) {
      case undefined:
        return;
      case 'recorded':
        showToast({ text: `The refund of order ${merchantOrderId} is recorded as ${state === 'FAILED' ? 'failed' : 'paid'}.` });
        return onClose();
      case 'not_waiting':
        return setRefusal('It no longer needs attention: another person or the gateway has decided it.');
      default:
        outcome satisfies never;
    }
  }

  return (
    <Dialog title="Record the result of this refund" dirty={note.text.trim() !== ''} onClose={onClose}>
      <form className={classes.form} onSubmit={submit} noValidate>
        <p className={classes.lead}>
          <strong>{`${refund.currency} ${groupDecimal(refund.amount)}`}</strong> of order <strong>{merchantOrderId}</strong>.{' '}
          {failureMessage}
        </p>
        <RadioGroup
          label="What the gateway's dashboard shows"
          choices={CHOICES}
          value={state}
          onChange={(next) => setState(next === 'FAILED' ? 'FAILED' : 'SUCCEEDED')}
        />
        <p className={classes.consequence}>This cannot be undone. Never choose that it was not paid without having looked.</p>
        <NoteField note={note} />
        <Refusal message={record.error?.message ?? refusal} />
        <DialogActions onCancel={onClose}>
          <Button type="submit" variant="danger" loading={record.isPending}>
            Record the result
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
