'use client';

import { disputedAmount } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import { useDisputeActions } from '#/app/(admin)/disputes/_components/use-disputes.ts';
import { DISPUTE_STATE_LABELS, DISPUTE_STATES, type DisputeResponse, isRecorded, type WholeDispute } from '#/copy/disputes.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { done, reply } from '#/forms/reply.ts';
import { useForm } from '#/forms/use-form.ts';

const recordSchema = z.object({ state: z.enum(DISPUTE_STATES), fee: z.union([z.literal(''), disputedAmount]) });
const OPTIONS = DISPUTE_STATES.map((value) => ({ value, label: DISPUTE_STATE_LABELS[value].word }));

/** Records what became of a dispute that was opened by hand or has an unknown status, and what the gateway charged for it. */
export function RecordDialog({ dispute, onClose }: { dispute: WholeDispute; onClose: () => void }) {
  const { record } = useDisputeActions();
  const { merchantId, disputeId, currency } = dispute;
  const mayDecide = isRecorded(dispute);
  const form = useForm({
    schema: recordSchema,
    values: { state: dispute.state, fee: dispute.fee ?? '' },
    async onSubmit({ state, fee }) {
      const outcome = await record.mutateAsync({ merchantId, disputeId, state: mayDecide ? state : null, fee: fee || null });
      return reply(outcome, {
        recorded: () => done('Recorded.'),
        refused: ({ why }) => why,
      });
    },
    onDone: onClose,
  });
  return (
    <FormDialog
      title={mayDecide ? 'Record what the gateway says' : 'Record the dispute fee'}
      form={form}
      action="Record"
      onClose={onClose}
    >
      {mayDecide && (
        <form.Select
          name="state"
          label="Status at the gateway"
          options={OPTIONS}
          description="Lost, accepted and no response take the money back of the payment, and tell its merchant."
        />
      )}
      <form.Number
        name="fee"
        label={`Dispute fee, ${currency}`}
        decimals={2}
        description="What the gateway charged for the dispute."
      />
    </FormDialog>
  );
}

const settleSchema = z.object({ arrived: z.enum(['yes', 'no']) });
const CHOICES = [
  { value: 'yes', label: 'It has the response', description: 'Nothing more is to be done here.' },
  { value: 'no', label: 'It has no response', description: 'You can respond to the dispute again.' },
] as const;

/** Records what the gateway's dashboard shows of an answer that it did not confirm. */
export function SettleDialog({
  dispute,
  response,
  onClose,
}: {
  dispute: WholeDispute;
  response: DisputeResponse;
  onClose: () => void;
}) {
  const { settleResponse } = useDisputeActions();
  const { merchantId, disputeId, gatewayTitle } = dispute;
  const form = useForm({
    schema: settleSchema,
    values: { arrived: 'yes' },
    async onSubmit({ arrived }) {
      const key = { merchantId, disputeId, responseId: response.responseId };
      const outcome = await settleResponse.mutateAsync({ ...key, arrived: arrived === 'yes' });
      if (outcome.kind === 'refused') return outcome.why;
      return null;
    },
    onDone: onClose,
  });
  return (
    <FormDialog title={`What does ${gatewayTitle} show?`} form={form} action="Record" onClose={onClose}>
      <p>The response was sent, and {gatewayTitle} did not confirm it. Look at the dispute on its dashboard.</p>
      <form.Radio name="arrived" label={`On ${gatewayTitle}’s dashboard`} choices={CHOICES} />
    </FormDialog>
  );
}
