'use client';

import { useMutation } from '@tanstack/react-query';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useRefreshRouting } from '../publish/use-publication.ts';
import { useRoutingScope } from '../queries/use-routing.ts';

type Drafts = RouterOutputs['routing']['drafts'];
type DraftInList = Drafts['list'][number];
type ApprovalOutcome = Drafts['requestApproval'] | Drafts['approve'] | Drafts['reject'];
type DraftAfterAction = Extract<ApprovalOutcome, { kind: 'requested' | 'approved' | 'rejected' | 'stale' }>['draft'];

/** True if a person edited a draft or requested its approval, and therefore cannot approve it. */
export function isOwnWork(
  { createdBy, editors, approval }: Pick<DraftInList, 'createdBy' | 'editors' | 'approval'>,
  staffId: string,
) {
  const own = [createdBy, ...editors, approval.state === 'none' ? null : approval.requestedBy];
  return own.includes(`staff:${staffId}`);
}

/** Asking for the approval of a draft, and answering. `onDraft` is given what the draft is afterwards. */
export function useApprovalActions(draft: Pick<DraftInList, 'draftId' | 'revision'>, onDraft: (draft: DraftAfterAction) => void) {
  const trpc = useTRPC();
  const { merchantId } = useRoutingScope();
  const refresh = useRefreshRouting();
  const request = useMutation(trpc.routing.drafts.requestApproval.mutationOptions());
  const approve = useMutation(trpc.routing.drafts.approve.mutationOptions());
  const reject = useMutation(trpc.routing.drafts.reject.mutationOptions());
  const seen = { merchantId, draftId: draft.draftId, revision: draft.revision };

  /** True when the action succeeded. */
  async function report(doing: Promise<ApprovalOutcome>): Promise<boolean> {
    try {
      const outcome = await doing;
      await refresh();
      if ('draft' in outcome) onDraft(outcome.draft);
      const refusal = refusalText(outcome);
      if (refusal !== null) showToast({ tone: 'bad', text: refusal });
      return refusal === null;
    } catch (error) {
      showToast({ tone: 'bad', text: error instanceof Error ? error.message : 'This did not work. Try again.' });
      return false;
    }
  }
  return {
    busy: request.isPending || approve.isPending || reject.isPending,
    request: () => report(request.mutateAsync(seen)),
    approve: () => report(approve.mutateAsync(seen)),
    decline: (reason: string | null) => report(reject.mutateAsync({ ...seen, reason })),
  };
}

/** Why nothing was done; null when something was. */
function refusalText(outcome: ApprovalOutcome): string | null {
  switch (outcome.kind) {
    case 'requested':
    case 'approved':
    case 'rejected':
      return null;
    case 'own_work':
      return 'You edited this draft or requested its approval, so another person has to approve it.';
    case 'not_requested':
      return 'The request was answered by another person or withdrawn.';
    case 'not_a_person':
      return 'Only people approve.';
    case 'stale':
      return 'The draft was saved meanwhile. Review it again.';
    case 'stale_base':
      return `Version ${outcome.currentVersion} was published meanwhile. Update the draft first.`;
    case 'broken_expectations':
      return outcome.broken[0]?.message ?? 'An expectation does not hold.';
    case 'invalid':
      return outcome.problems.map(({ field, message }) => `${field} ${message}`).join('; ');
    case 'not_a_draft':
      return 'It is no longer a draft.';
    case 'not_found':
      return 'The draft no longer exists.';
    default:
      return outcome satisfies never;
  }
}
