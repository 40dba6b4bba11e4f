'use client';

import { resolutionReason } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import type { Discrepancy } from '#/copy/discrepancies.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import type { DiscrepancyActions, DiscrepancyKey } from './discrepancy-actions.ts';

/** How a discrepancy can be closed. */
export const RESOLUTIONS = [
  { value: 'RESOLVED', label: 'Resolved', description: 'It was corrected, here or at the gateway.' },
  { value: 'EXPLAINED', label: 'Explained', description: 'The reason is known, and nothing needs to be done.' },
] as const;

/** How and why a discrepancy is closed. */
export const resolutionSchema = z.object({ as: z.enum(['RESOLVED', 'EXPLAINED']), why: resolutionReason });

/** Resolves an open discrepancy with a reason, or reopens a resolved one. */
export function ResolutionForm({
  discrepancy,
  useActions,
}: {
  discrepancy: DiscrepancyKey & Pick<Discrepancy, 'state'>;
  useActions: () => Pick<DiscrepancyActions, 'resolve' | 'reopen'>;
}) {
  const { merchantId, discrepancyId, state } = discrepancy;
  const { resolve, reopen } = useActions();
  const form = useForm({
    schema: resolutionSchema,
    values: { as: 'RESOLVED', why: '' },
    async onSubmit(resolution) {
      await resolve.mutateAsync({ merchantId, discrepancyId, ...resolution });
      form.discard();
      return null;
    },
  });
  if (state !== 'OPEN') {
    return (
      <div className="grid gap-3 pt-4 border-t border-line">
        <div className="flex gap-2">
          <Button loading={reopen.isPending} onClick={() => reopen.mutate({ merchantId, discrepancyId })}>
            Open again
          </Button>
        </div>
        <Refusal message={reopen.error?.message ?? null} />
      </div>
    );
  }
  return (
    <Form form={form} className="grid gap-3 pt-4 border-t border-line" label="Close this discrepancy">
      <form.Radio name="as" label="Close as" choices={RESOLUTIONS} />
      <form.Area
        name="why"
        label="Reason"
        description="Kept with your name. Later comparisons leave it as it is unless the facts change."
        maxLength={2_000}
      />
      <FormRefusal />
      <div className="flex gap-2">
        <SubmitButton>Close as {form.entered.as === 'RESOLVED' ? 'resolved' : 'explained'}</SubmitButton>
      </div>
    </Form>
  );
}
