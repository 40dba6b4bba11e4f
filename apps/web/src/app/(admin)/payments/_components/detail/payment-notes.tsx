'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { AreaField } from '#/components/field/field.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import { useMay } from '#/trpc/use-may.ts';
import type { Payment } from './payment-head.tsx';
import classes from './payment-notes.module.css';

/** The staff notes on a payment, and a form for another. */
export function PaymentNotes({ payment }: { payment: Payment }) {
  const trpc = useTRPC();
  const may = useMay();
  const { paymentId } = payment;
  const { data: notes, error } = useQuery(trpc.payments.notes.queryOptions({ paymentId }));
  const mayWrite = may('payment:verify', payment.merchantId);
  return (
    <div className={classes.notes}>
      {mayWrite && <NoteForm paymentId={paymentId} />}
      {error !== null && <Refusal message={error.message} />}
      {notes?.length === 0 && <p className={classes.none}>No notes yet. Only your team sees notes.</p>}
      {notes !== undefined && notes.length > 0 && (
        <ul className={classes.list}>
          {notes.map(({ noteId, text, authorName, createdAt }) => (
            <li key={noteId}>
              <p className={classes.text}>{text}</p>
              <p className={classes.by}>
                {authorName ?? 'Former team member'}, <Moment value={createdAt} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function NoteForm({ paymentId }: { paymentId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [text, setText] = useState('');
  const add = useMutation(
    trpc.payments.addNote.mutationOptions({
      onSuccess: async () => {
        setText('');
        await queries.invalidateQueries(trpc.payments.notes.queryFilter({ paymentId }));
      },
    }),
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    if (text.trim() !== '') add.mutate({ paymentId, text });
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <AreaField
        label="Add a note"
        value={text}
        maxLength={2_000}
        error={add.error?.message ?? null}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button type="submit" loading={add.isPending} disabled={text.trim() === ''}>
        Save note
      </Button>
    </form>
  );
}
