'use client';

import { enteredText } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { Form, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import type { useApprovalActions } from './use-approval-actions.ts';

const REASON_MAX = 500;
const schema = z.object({
  reason: z.pipe(
    enteredText(REASON_MAX),
    z.transform((text) => (text === '' ? null : text)),
  ),
});

/** The second person's answer: approve, or decline with an optional note to the requester. */
export function AnswerApproval({ acts, to }: { acts: ReturnType<typeof useApprovalActions>; to: string }) {
  const form = useForm({
    schema,
    values: { reason: '' },
    async onSubmit({ reason }) {
      // Refusals are shown in a message: the request may have left the page with the answer.
      await acts.decline(reason);
      return null;
    },
  });
  return (
    <Form form={form} className="flex flex-wrap gap-2 items-end">
      <Button variant="accent" loading={acts.busy} onClick={() => void acts.approve()}>
        Approve
      </Button>
      <SubmitButton variant="danger" disabled={acts.busy}>
        Decline
      </SubmitButton>
      <div className="flex-[1_1_240px] max-w-[480px]">
        <form.Text name="reason" label={`Reason if you decline (optional, shown to ${to})`} maxLength={REASON_MAX} />
      </div>
    </Form>
  );
}
