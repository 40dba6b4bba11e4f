'use client';

import { incidentNote, postMortemText } from '@switchyard/api/entered-fields';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { ExactTime } from '#/components/time/moment.tsx';
import type { Incident } from '#/copy/incident-story.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCanHere } from '#/trpc/use-can.ts';
import { type IncidentWriting, useImpactInput } from './use-incident.ts';

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

const noteSchema = z.object({ text: incidentNote });

function NoteForm({ incident: { merchantId, incidentId } }: { incident: Incident }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const add = useMutation(trpc.incidents.addNote.mutationOptions());
  const form = useForm({
    schema: noteSchema,
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

/** The post-mortem of an incident, and a form that changes it. */
export function PostMortemSection({
  incident,
  writing,
  mayWrite,
}: {
  incident: Incident;
  writing: IncidentWriting;
  mayWrite: boolean;
}) {
  const { postMortem } = writing;
  const { text, isLoading, write, close } = usePostMortemText(incident, postMortem);
  const isEditing = text !== null;
  if (postMortem === null && !mayWrite) return null;
  return (
    <section aria-labelledby="post-mortem" className="min-w-0">
      <div className="flex flex-wrap gap-x-4 gap-y-2 items-center mb-3">
        <h2 className="flex-1 text-base font-semibold" id="post-mortem">
          Post-mortem
        </h2>
        {mayWrite && !isEditing && (
          <span className="print:hidden">
            <Button loading={isLoading} onClick={write}>
              {postMortem === null ? 'Write' : 'Edit'}
            </Button>
          </span>
        )}
      </div>
      {isEditing ? (
        <PostMortemForm incident={incident} postMortem={postMortem} text={text} onClose={close} />
      ) : postMortem === null ? (
        <p className="text-ink-faint text-sm">Not written yet.</p>
      ) : (
        <>
          <PostMortemText text={postMortem.text} />
          <p className="mt-2 text-ink-faint text-xs">
            {postMortem.updatedByName ?? 'Former team member'}, <ExactTime value={postMortem.updatedAt} align="start" />
          </p>
        </>
      )}
    </section>
  );
}

/** The text to edit: that of the post-mortem or, before there is one, a draft with what is known of the incident; null until it is wanted. */
function usePostMortemText(incident: Incident, postMortem: IncidentWriting['postMortem']) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const mayRead = useCanHere()('payment:read');
  const input = useImpactInput(incident);
  const [text, setText] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(false);
  async function draft() {
    setLoading(true);
    // Without the impact the rest is still known.
    const impact = mayRead && incident.accounts.length > 0 ? queries.fetchQuery(trpc.incidents.impact.queryOptions(input)) : null;
    const { postMortemDraft } = await import('#/copy/post-mortem.ts');
    setText(postMortemDraft(incident, await Promise.resolve(impact).catch(() => null)));
    setLoading(false);
  }
  return {
    text,
    isLoading,
    write: () => (postMortem === null ? void draft() : setText(postMortem.text)),
    close: () => setText(null),
  };
}

/** A post-mortem, its headings as such. */
function PostMortemText({ text }: { text: string }) {
  const parts = text.split(/^(?=### )/m);
  return (
    <div className="grid gap-3 max-w-[80ch]">
      {parts.map((part, index) => {
        const [first = '', ...lines] = part.split('\n');
        const isTitled = first.startsWith('### ');
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts are never reordered.
          <div key={index}>
            {isTitled && <h3 className="text-sm font-semibold">{first.slice(4)}</h3>}
            <p className="wrap-anywhere whitespace-pre-wrap">{(isTitled ? lines.join('\n') : part).trim()}</p>
          </div>
        );
      })}
    </div>
  );
}

const postMortemSchema = z.object({ text: postMortemText });

function PostMortemForm({
  incident: { merchantId, incidentId },
  postMortem,
  text,
  onClose,
}: {
  incident: Incident;
  postMortem: IncidentWriting['postMortem'];
  text: string;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const write = useMutation(trpc.incidents.writePostMortem.mutationOptions());
  // The text that the change is based on, whatever arrives meanwhile.
  const [revision] = useState(postMortem?.revision ?? 0);
  const form = useForm({
    schema: postMortemSchema,
    values: { text },
    async onSubmit({ text: written }) {
      const outcome = await write.mutateAsync({ merchantId, incidentId: incidentId ?? '', text: written, revision });
      if (outcome.kind === 'changed_meanwhile') {
        return 'Another person changed it meanwhile. Copy your text, reload the page and add it to theirs.';
      }
      await queries.invalidateQueries(trpc.incidents.notes.queryFilter());
      onClose();
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-2 justify-items-start [&>:first-child]:w-full" label="Post-mortem">
      <form.Area name="text" label="Text" maxLength={20_000} rows={12} />
      <FormRefusal small />
      <span className="flex gap-2">
        <SubmitButton>Save post-mortem</SubmitButton>
        <Button onClick={onClose}>Cancel</Button>
      </span>
    </Form>
  );
}
