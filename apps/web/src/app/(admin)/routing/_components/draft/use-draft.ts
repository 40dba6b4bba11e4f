'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useReducer, useRef, useState } from 'react';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useUnsaved } from '#/leaving/unsaved.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { usePeople, useRoutingScope } from '../queries/use-routing.ts';
import { type RuleDocument, readDocument } from '../rules/document.ts';
import { isSameDocument } from '../rules/edit.ts';
import {
  createHistory,
  DraftSaver,
  type HistoryAction,
  type SaveOutcome,
  type SaveState,
  type Steps,
  stepHistory,
} from './draft-changes.ts';

/** A rule draft, as the server stores it. */
export type RuleDraft = RouterOutputs['routing']['drafts']['byId'];

const SAVE_AFTER_MS = 500;
const POLL_MS = 8_000;

/** Two conflicting versions of one draft. */
export interface Conflict {
  readonly mine: RuleDocument;
  readonly theirs: RuleDraft;
}

/** A draft in the editor: its document with undo history, the state of saving, and conflicts with other editors. */
export interface EditedDraft {
  /** As stored. */
  readonly draft: RuleDraft;
  readonly document: RuleDocument;
  readonly saved: SaveState;
  readonly conflict: Conflict | null;
  readonly undo: { readonly did: string } | null;
  readonly redo: { readonly did: string } | null;
  readonly change: (document: RuleDocument, did: string, run?: string) => void;
  readonly step: (kind: 'undo' | 'redo') => void;
  /** Saves pending changes; false when that fails. */
  readonly flush: () => Promise<boolean>;
  /** The revision that is stored now: right after `flush` it is ahead of `draft`, which is as the page was drawn. */
  readonly storedRevision: () => number;
  /** Adopts the server's version of this draft. */
  readonly adopt: (draft: RuleDraft, document?: RuleDocument) => void;
  readonly rename: (name: string) => Promise<void>;
}

function stepDocument(steps: Steps<RuleDocument>, action: HistoryAction<RuleDocument>): Steps<RuleDocument> {
  return stepHistory(steps, action);
}

/** A draft under edit: its document with undo, saved as it changes. A conflict with another save is kept until it is resolved. */
export function useDraft(initial: RuleDraft, initialDocument: RuleDocument, mayWrite: boolean): EditedDraft {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { merchantId } = useRoutingScope();
  const key = { merchantId, draftId: initial.draftId };
  const [draft, setDraft] = useState(initial);
  const [theirs, setTheirs] = useState<RuleDraft | null>(null);
  const [steps, dispatch] = useReducer(stepDocument, initialDocument, createHistory<RuleDocument>);
  const present = useRef(steps.present);
  present.current = steps.present;
  const remember = useCallback(
    (next: RuleDraft) => {
      setDraft(next);
      queries.setQueryData(trpc.routing.drafts.byId.queryKey({ merchantId, draftId: next.draftId }), next);
    },
    [queries, trpc, merchantId],
  );
  const put = useSaveDraft(key, remember, setTheirs);
  const { saver, saved } = useSaver(initial.revision, put);

  const adopt = useCallback(
    (next: RuleDraft, document?: RuleDocument) => {
      remember(next);
      setTheirs(null);
      saver.adopt(next.revision);
      const stored = document ?? readDocument(next.document);
      if (stored !== null && !isSameDocument(stored, present.current)) dispatch({ kind: 'replace', state: stored });
    },
    [remember, saver],
  );
  usePolledDraft({ key, revision: draft.revision, saver, adopt, onState: setDraft });

  const write = (document: RuleDocument) => mayWrite && saver.change(document);
  return {
    draft,
    document: steps.present,
    saved,
    conflict: theirs !== null && saved.kind === 'conflict' ? { mine: steps.present, theirs } : null,
    undo: steps.past.at(-1) ?? null,
    redo: steps.future[0] ?? null,
    change(document, did, run) {
      dispatch({ kind: 'do', state: document, did, ...(run !== undefined && { run }) });
      write(document);
    },
    step(kind) {
      const next = stepHistory(steps, { kind });
      dispatch({ kind });
      if (next !== steps) write(next.present);
    },
    flush: () => saver.flush(),
    storedRevision: () => saver.revision,
    adopt,
    async rename(name) {
      const given = name.trim() === '' ? null : name.trim();
      const outcome = await saver.saveInTurn((revision) => put(present.current, revision, given));
      if (outcome?.kind === 'refused') throw new Error(outcome.message);
      if (outcome?.kind === 'conflict') {
        void queries.invalidateQueries(trpc.routing.drafts.byId.queryFilter(key));
        throw new Error('Another person saved this draft meanwhile. Enter the name again.');
      }
    },
  };
}

/** Stores a document on a revision, and takes over what the server made of it. */
function useSaveDraft(
  key: { readonly merchantId: string; readonly draftId: string },
  remember: (draft: RuleDraft) => void,
  onStale: (theirs: RuleDraft) => void,
) {
  const trpc = useTRPC();
  const save = useMutation(trpc.routing.drafts.save.mutationOptions());
  return async (document: RuleDocument, revision: number, name?: string | null): Promise<SaveOutcome> => {
    const outcome = await save.mutateAsync({ ...key, revision, document, ...(name !== undefined && { name }) });
    switch (outcome.kind) {
      case 'saved':
        remember(outcome.draft);
        return { kind: 'saved', revision: outcome.draft.revision };
      case 'stale':
        onStale(outcome.draft);
        return { kind: 'conflict' };
      case 'invalid':
        return { kind: 'refused', message: outcome.problems.map(({ field, message }) => `${field} ${message}`).join('; ') };
      case 'not_a_draft':
        return { kind: 'refused', message: describeState(outcome.state) };
      case 'not_found':
        return { kind: 'refused', message: 'The draft no longer exists. Copy what you need before you leave.' };
      default:
        return outcome satisfies never;
    }
  };
}

/** Saves edits, and reports the state of saving. */
function useSaver(revision: number, put: (document: RuleDocument, revision: number) => Promise<SaveOutcome>) {
  const [saved, setSaved] = useState<SaveState>({ kind: 'saved' });
  const store = useRef(put);
  store.current = put;
  const [saver] = useState(
    () =>
      new DraftSaver<RuleDocument>({
        revision,
        save: (document, seen) => store.current(document, seen),
        onState: setSaved,
        later(run) {
          const timer = setTimeout(run, SAVE_AFTER_MS);
          return () => clearTimeout(timer);
        },
      }),
  );
  useUnsaved(saved.kind !== 'saved');
  useSaveOnLeave(saver);
  return { saver, saved };
}

/** Saves pending edits on navigation to another page of the application. */
function useSaveOnLeave(saver: DraftSaver<RuleDocument>): void {
  useEffect(
    () => () => {
      if (saver.isDirty) void saver.flush();
    },
    [saver],
  );
}

/** Polls for changes to the draft by other people. */
function usePolledDraft({
  key,
  revision,
  saver,
  adopt,
  onState,
}: {
  key: { readonly merchantId: string; readonly draftId: string };
  revision: number;
  saver: DraftSaver<RuleDocument>;
  adopt: (draft: RuleDraft) => void;
  onState: (draft: RuleDraft) => void;
}): void {
  const trpc = useTRPC();
  const { nameOf } = usePeople();
  const { data } = useQuery(trpc.routing.drafts.byId.queryOptions(key, { refetchInterval: POLL_MS }));
  useEffect(() => {
    if (data === undefined || saver.isDirty) return;
    if (data.revision > revision) {
      adopt(data);
      showToast({ text: `${nameOf(data.savedBy)} has just changed this draft. The page shows the latest.` });
    }
    if (data.revision === revision) onState(data);
  }, [data, revision, saver, adopt, onState, nameOf]);
}

function describeState(state: RuleDraft['state']): string {
  switch (state) {
    case 'SCHEDULED':
      return 'Another person has scheduled this draft, so it cannot be changed. Cancel the schedule to continue.';
    case 'DISCARDED':
      return 'Another person has discarded this draft.';
    case 'CANARY':
    case 'WITHDRAWN':
      return 'Another person has published this draft for a share of customers.';
    case 'DRAFT':
    case 'PUBLISHED':
    case 'SUPERSEDED':
      return 'Another person has published this draft.';
    default:
      return state satisfies never;
  }
}
