'use client';

import { incidentNote } from '@switchyard/api/entered-fields';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { ExactTime } from '#/components/time/exact-time.tsx';
import type { Incident } from '#/copy/incident-story.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { IncidentWriting } from './use-incident.ts';

/** The notes on an incident, in order, and a form for another; notes are never changed. */
export function NotesSection({
  incident,
  writing,
  mayWrite,
}: {
  incident: Incident;
  writing: IncidentWriting;
  mayWrite: boolean;
}) {
  const { notes } = writing;
  if (notes.length === 0 && !mayWrite) return null;
  return (
    <section aria-labelledby="notes" className="min-w-0">
      <h2 className="mb-3 text-base font-semibold" id="notes">
        Notes
      </h2>
      {notes.length === 0 && (
        <p className="mb-3 text-ink-faint text-sm print:hidden">No notes yet. They cannot be changed or removed.</p>
      )}
      {notes.length > 0 && (
        <ul className="grid gap-3 mb-4">
          {notes.map(({ noteId, text, authorName, createdAt }) => (
            <li key={noteId}>
              <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
              <p className="text-ink-faint text-xs">
                {authorName ?? 'Former team member'}, <ExactTime value={createdAt} align="start" />
              </p>
            </li>
          ))}
        </ul>
      )}
      {mayWrite && <NoteForm incident={incident} />}
    </section>
  );
}

const schema = z.object({ text: incidentNote });

function NoteForm({ incident: { merchantId, incidentId } }: { incident: Incident }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const add = useMutation(trpc.incidents.addNote.mutationOptions());
  const form = useForm({
    schema,
    values: { text: '' },
    async onSubmit({ text }) {
      await add.mutateAsync({ merchantId, incidentId: incidentId ?? '', text });
      form.discard();
      await queries.invalidateQueries(trpc.incidents.notes.queryFilter());
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-2 justify-items-start [&>:first-child]:w-full print:hidden">
      <form.Area name="text" label="Add a note" maxLength={2_000} />
      <FormRefusal small />
      <SubmitButton variant="plain" disabled={form.entered.text.trim() === ''}>
        Add note
      </SubmitButton>
    </Form>
  );
}
