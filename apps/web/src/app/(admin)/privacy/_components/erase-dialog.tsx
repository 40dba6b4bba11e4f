'use client';

import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { FormDialog } from '#/forms/form-dialog.tsx';
import { useForm } from '#/forms/use-form.ts';
import type { Mode } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

const eraseSchema = z.object({ confirmation: z.string() });

/** Data that erasing a customer would change. */
export type Preview = Extract<RouterOutputs['privacy']['previewErasure'], { kind: 'found' }>['preview'];

/** Says what would be erased, and erases once that is typed. */
export function EraseDialog({
  subject,
  preview,
  onDone,
  onClose,
}: {
  subject: { merchantId: string; mode: Mode; email: string; phone: string; customerId: string };
  preview: Preview;
  onDone: () => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const erase = useMutation(trpc.privacy.eraseCustomer.mutationOptions());
  const [blockers, setBlockers] = useState(preview.blockers);
  const form = useForm({
    schema: eraseSchema,
    values: { confirmation: '' },
    async onSubmit({ confirmation }) {
      const outcome = await erase.mutateAsync({ ...subject, confirmation });
      switch (outcome.kind) {
        case 'erased':
          onDone();
          showToast({ text: `The customer was erased from ${inPayments(outcome.counts.payments)}.` });
          return null;
        case 'blocked':
          setBlockers(outcome.blockers);
          return null;
        case 'not_confirmed':
          return [{ field: 'confirmation', message: `must be “${outcome.confirmation}”` }];
        default:
          return [{ field: 'confirmation', message: 'is about a customer of whom nothing is held any more' }];
      }
    },
  });
  const isBlocked = blockers.length > 0;
  return (
    <FormDialog
      title="Erase this customer?"
      form={form}
      action={isBlocked ? null : `Erase from ${inPayments(preview.payments)}`}
      variant="danger"
      disabled={form.entered.confirmation.trim() === ''}
      onClose={onClose}
    >
      <DescriptionList>
        <Description name="Customer">{preview.identifiers.join(', ')}</Description>
        <Description name="Payments">{String(preview.payments)}</Description>
        <Description name="Requests to gateways">{String(preview.attempts)}</Description>
        <Description name="Gateway webhooks">{String(preview.gatewayWebhooks)}</Description>
        <Description name="Refunds">{String(preview.refunds)}</Description>
        <Description name="Notes">{String(preview.notes)}</Description>
        <Description name="Saved views">{String(preview.savedViews)}</Description>
        {preview.sums.map(({ currency, amount }) => (
          <Description key={currency} name={`${currency}, unchanged`}>
            {formatDecimal(currency, amount)}
          </Description>
        ))}
      </DescriptionList>
      {isBlocked ? (
        <div
          className="py-2.5 px-3 border-l-3 border-l-wait bg-wait-soft text-sm [&_ul]:mt-1 [&_ul]:mx-0 [&_ul]:mb-0 [&_ul]:pl-4.5"
          role="status"
        >
          <p>It cannot be done now:</p>
          <ul>
            {blockers.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      ) : (
        <>
          <p className="py-2.5 px-3 border-l-3 border-l-wait bg-wait-soft text-sm [&_ul]:mt-1 [&_ul]:mx-0 [&_ul]:mb-0 [&_ul]:pl-4.5">
            The payments stay with amount, status and references. Who paid is removed. This cannot be undone.
          </p>
          <form.Text name="confirmation" label={`Type “${preview.confirmation}” to confirm`} />
        </>
      )}
    </FormDialog>
  );
}

function inPayments(count: number): string {
  return count === 1 ? '1 payment' : `${count} payments`;
}
