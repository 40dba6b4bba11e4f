'use client';

import * as z from 'zod/mini';
import { useDisputeActions } from '#/app/(admin)/disputes/_components/use-disputes.ts';
import { Dialog } from '#/components/dialog/dialog.tsx';
import type { DisputeResponse, WholeDispute } from '#/copy/disputes.ts';
import { Form, FormActions } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';

const schema = z.object({ arrived: z.enum(['yes', 'no']) });
const CHOICES = [
  { value: 'yes', label: 'It has the answer', description: 'Nothing more is to be done here.' },
  { value: 'no', label: 'It has no answer', description: 'The dispute can be answered again.' },
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
    schema,
    values: { arrived: 'yes' },
    async onSubmit({ arrived }) {
      const key = { merchantId, disputeId, responseId: response.responseId };
      const outcome = await settleResponse.mutateAsync({ ...key, arrived: arrived === 'yes' });
      if (outcome.kind === 'refused') return outcome.why;
      onClose();
      return null;
    },
  });
  return (
    <Dialog title={`What does ${gatewayTitle} show?`} onClose={onClose}>
      <Form form={form} className="grid gap-4">
        <p>The answer was sent, and {gatewayTitle} did not confirm it. Look at the dispute on its dashboard.</p>
        <form.Radio name="arrived" label={`On ${gatewayTitle}’s dashboard`} choices={CHOICES} />
        <FormActions action="Record" onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
