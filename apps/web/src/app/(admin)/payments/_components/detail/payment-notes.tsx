'use client';

import { paymentNote } from '@switchyard/api/entered-fields';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { Refusal } from '#/components/page/refusal.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import type { Payment } from './payment-head.tsx';

/** The staff notes on a payment, and a form for another. */
export function PaymentNotes({ payment }: { payment: Payment }) {
  const trpc = useTRPC();
  const can = useCan();
  const { paymentId } = payment;
  const { data: notes, error } = useQuery(trpc.payments.notes.queryOptions({ paymentId }));
  const mayWrite = can('payment:verify', payment.merchantId);
  return (
    <div className="grid gap-4">
      {mayWrite && <NoteForm paymentId={paymentId} />}
      {error !== null && <Refusal message={error.message} />}
      {notes?.length === 0 && <p className="text-ink-faint text-sm">No notes yet. Only your team sees notes.</p>}
      {notes !== undefined && notes.length > 0 && (
        <ul className="grid gap-3">
          {notes.map(({ noteId, text, authorName, createdAt }) => (
            <li key={noteId}>
              <p className="text-base wrap-anywhere whitespace-pre-wrap">{text}</p>
              <p className="text-ink-faint text-xs">
                {authorName ?? 'Former team member'}, <Moment value={createdAt} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const schema = z.object({ text: paymentNote });

/** Adds a note to a payment. */
export function NoteForm({ paymentId }: { paymentId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const add = useMutation(trpc.payments.addNote.mutationOptions());
  const form = useForm({
    schema,
    values: { text: '' },
    async onSubmit({ text }) {
      await add.mutateAsync({ paymentId, text });
      form.discard();
      await queries.invalidateQueries(trpc.payments.notes.queryFilter({ paymentId }));
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-2 justify-items-start [&>:first-child]:w-full">
      <form.Area name="text" label="Add a note" maxLength={2_000} />
      <FormRefusal small />
      <SubmitButton variant="plain" disabled={form.entered.text.trim() === ''}>
        Save note
      </SubmitButton>
    </Form>
  );
}
