'use client';

import { enteredText } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { gatewayTitle } from '#/copy/gateways.ts';
import { APPROVAL_LABELS, type ApprovalState } from '#/copy/refunds.ts';
import { formatMoney } from '#/format/amounts.ts';
import { ConfirmDialog, FormDialog } from '#/forms/form-dialog.tsx';
import { done } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';
import { type ApprovalRow, purposeOf, showRefundRequested, useDecideApproval } from './use-refunds.ts';

const NOTE_MAX = 500;
const schema = z.object({
  answer: z.enum(['approve', 'decline']),
  note: z.pipe(
    enteredText(NOTE_MAX),
    z.transform((text) => (text === '' ? null : text)),
  ),
});

/** Decides a refund that waits: another person's is approved or declined, one's own withdrawn. */
export function ApprovalDialog({ approval, onClose }: { approval: ApprovalRow; onClose: () => void }) {
  return approval.isOwn ? <Withdraw approval={approval} onClose={onClose} /> : <Answer approval={approval} onClose={onClose} />;
}

function Answer({ approval, onClose }: { approval: ApprovalRow; onClose: () => void }) {
  const { approve, decline } = useDecideApproval();
  const { merchantId, approvalId, merchantOrderId, gateway } = approval;
  const key = { merchantId, approvalId };
  const money = moneyOf(approval);
  const form = useForm({
    schema,
    values: { answer: 'approve', note: '' },
    async onSubmit({ answer, note }) {
      const outcome = answer === 'approve' ? await approve.mutateAsync(key) : await decline.mutateAsync({ ...key, note });
      switch (outcome.kind) {
        case 'approved':
          showRefundRequested(money, merchantOrderId);
          return null;
        case 'declined':
        case 'withdrawn':
          return done(`The refund of ${money} of order ${merchantOrderId} was declined.`);
        case 'not_refundable':
          return describeNotRefundable(outcome.refundable, approval.currency);
        case 'not_waiting':
          return alreadyDecided(outcome.state);
        case 'own_request':
        case 'not_own_request':
        case 'not_a_person':
          return 'You requested this refund, so another person has to approve it.';
        default:
          return outcome satisfies never;
      }
    },
    onDone: onClose,
  });
  const { answer } = form.entered;
  return (
    <FormDialog
      title="Review this refund"
      form={form}
      action={answer === 'approve' ? `Approve the refund of ${money}` : 'Decline the refund'}
      variant="danger"
      onClose={onClose}
    >
      <Lead approval={approval} />
      <form.Radio
        name="answer"
        label="Your answer"
        choices={[
          { value: 'approve', label: 'Approve' },
          { value: 'decline', label: 'Decline' },
        ]}
      />
      {answer === 'decline' && (
        <form.Text
          name="note"
          label={`Reason (optional, shown to ${approval.requesterName ?? 'the requester'})`}
          maxLength={NOTE_MAX}
        />
      )}
      <p className="consequence">
        {answer === 'approve'
          ? `${money} is returned to the customer through ${gatewayTitle(gateway)}. This cannot be undone.`
          : 'Nothing is refunded. It can be requested again.'}
      </p>
    </FormDialog>
  );
}

function Withdraw({ approval, onClose }: { approval: ApprovalRow; onClose: () => void }) {
  const { withdraw } = useDecideApproval();
  const { merchantId, approvalId, merchantOrderId } = approval;

  async function withdrawIt() {
    const outcome = await withdraw.mutateAsync({ merchantId, approvalId });
    if (outcome.kind === 'not_waiting') return alreadyDecided(outcome.state);
    if (outcome.kind !== 'withdrawn') return 'Only its requester can withdraw it.';
    showToast({ text: `The refund of ${moneyOf(approval)} of order ${merchantOrderId} was withdrawn.` });
    return null;
  }

  return (
    <ConfirmDialog
      title="Withdraw this refund"
      action="Withdraw the refund"
      variant="danger"
      onConfirm={withdrawIt}
      onClose={onClose}
    >
      <Lead approval={approval} />
      <p className="consequence">Nothing is refunded, and no one is asked to approve it any more.</p>
    </ConfirmDialog>
  );
}

function Lead({ approval }: { approval: ApprovalRow }) {
  const { merchantOrderId, requesterName, createdAt, expiresAt, currency, paymentAmount } = approval;
  return (
    <p className="lead">
      <strong>{moneyOf(approval)}</strong> of order <strong>{merchantOrderId}</strong>, a payment of{' '}
      {formatMoney(currency, paymentAmount)}. Requested by {requesterName ?? 'a former team member'} <Moment value={createdAt} />:{' '}
      {purposeOf(approval)}. It expires <Moment value={expiresAt} tense="upcoming" />.
    </p>
  );
}

function moneyOf({ currency, amount }: ApprovalRow): string {
  return formatMoney(currency, amount);
}

function alreadyDecided(state: ApprovalState): string {
  return state === 'WAITING'
    ? 'It could not be decided. Try again.'
    : `It is ${APPROVAL_LABELS[state].word.toLowerCase()} already.`;
}

function describeNotRefundable(refundable: bigint | null, currency: string): string {
  if (refundable === null) return 'This money cannot be refunded any more as it was requested. Decline it.';
  const left = refundable === 0n ? 'nothing' : formatMoney(currency, refundable);
  return `Less can be refunded by now: ${left} of the payment is left. Decline it, and have what is left requested again.`;
}
