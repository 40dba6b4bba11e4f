'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { reportRefusal } from '#/forms/reply.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { EditedDraft } from '../draft/use-draft.ts';
import { useRoutingScope } from '../queries/use-routing.ts';
import { counted, shareText } from '../rules/copy.ts';

type StartOutcome = RouterOutputs['routing']['drafts']['shadow']['start'];

/** A draft's shadow run with what it found so far. */
export type ShadowReport = NonNullable<RouterOutputs['routing']['drafts']['shadow']['report']>;

const REFRESH_MS = 5_000;

/** The draft's last shadow run; null when it never ran, undefined until that is known. Followed while it runs. */
export function useShadow(draftId: string) {
  const trpc = useTRPC();
  const { merchantId } = useRoutingScope();
  return useQuery(
    trpc.routing.drafts.shadow.report.queryOptions(
      { merchantId, draftId },
      { refetchInterval: ({ state }) => (state.data?.endedAt === null ? REFRESH_MS : false) },
    ),
  );
}

/** Starts and stops the draft's shadow run. */
export function useShadowActions(edited: EditedDraft) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { merchantId } = useRoutingScope();
  const starting = useMutation(trpc.routing.drafts.shadow.start.mutationOptions());
  const stopping = useMutation(trpc.routing.drafts.shadow.stop.mutationOptions());

  const refresh = () => queries.invalidateQueries(trpc.routing.drafts.shadow.pathFilter());
  async function stop(): Promise<string | null> {
    const outcome = await stopping.mutateAsync({ merchantId, draftId: edited.draft.draftId });
    await refresh();
    return outcome.kind === 'stopped' ? null : 'The shadow run had ended already.';
  }
  return {
    busy: stopping.isPending,
    /** Returns why it did not start, or null. */
    async start(hours: number): Promise<string | null> {
      if (!(await edited.flush())) return 'The draft could not be saved first. Try again.';
      const { draftId, revision } = edited.draft;
      const outcome = await starting.mutateAsync({ merchantId, draftId, revision, hours });
      await refresh();
      return describeStart(outcome);
    },
    /** Says in a message why it did not stop: its button has gone with the run. */
    stop: () => reportRefusal(stop()),
  };
}

/** Why a run did not start; null when it did. */
function describeStart(outcome: StartOutcome): string | null {
  switch (outcome.kind) {
    case 'started':
      return null;
    case 'already_running':
      return 'This draft runs in shadow already.';
    case 'too_many':
      return `${outcome.limit} drafts run in shadow already. Stop one of them first.`;
    case 'invalid':
      return 'The draft is not complete yet. Fix the errors on the Rules tab first.';
    case 'stale':
      return 'Another person saved this draft meanwhile. Review it again.';
    case 'not_a_draft':
      return 'It is no longer a draft: it was scheduled, published or discarded.';
    case 'not_found':
      return 'The draft no longer exists.';
    default:
      return outcome satisfies never;
  }
}

/** How a shadow run ended, as a sentence that names no time; null while it runs. */
export function describeShadowEnd({ ended }: Pick<ShadowReport, 'ended'>): string | null {
  switch (ended) {
    case null:
      return null;
    case 'TIME':
      return 'It ended at its set time.';
    case 'LIMIT':
      return 'It ended because it reached the most payments one run takes.';
    case 'STOPPED':
      return 'It was stopped.';
    case 'SAVED':
      return 'It stopped because the draft was changed.';
    case 'PUBLISHED':
      return 'It stopped because the draft was published.';
    case 'DISCARDED':
      return 'It stopped because the draft was discarded.';
    default:
      return ended satisfies never;
  }
}

/** `Of 1,204 payments, 87 (7.2%) would have gone to another account first.` */
export function describeShadowResult({ payments, moved }: Pick<ShadowReport['summary'], 'payments' | 'moved'>): string {
  if (payments === 0) return 'No payment has come in yet.';
  const share = shareText(moved, payments);
  const number = share === null ? moved.toLocaleString('en') : `${moved.toLocaleString('en')} (${share})`;
  return `Of ${counted(payments, 'payment')}, ${number} would have gone to another account first.`;
}
