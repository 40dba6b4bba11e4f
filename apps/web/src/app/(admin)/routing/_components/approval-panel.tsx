'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Moment } from '../../../../components/moment.tsx';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { RouterOutputs } from '../../../../trpc/outputs.ts';
import { Action } from './action.tsx';
import fields from './field.module.css';
import { Field } from './field.tsx';
import classes from './publish-panel.module.css';
import { Question } from './question.tsx';
import type { DraftInHand } from './use-draft.ts';
import { useRefreshRouting } from './use-publication.ts';
import { usePeople, useRoutingScope } from './use-routing.ts';

type Drafts = RouterOutputs['routing']['drafts'];
type ApprovalOutcome = Drafts['requestApproval'] | Drafts['approve'] | Drafts['reject'];

/** Where the draft stands with the second person, and what each of the two can do. */
export function ApprovalPanel({ hand, may, isReady }: { hand: DraftInHand; may: boolean; isReady: boolean }) {
  const { draft } = hand;
  const { approval } = draft;
  const { nameOf } = usePeople();
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const [rejecting, setRejecting] = useState(false);
  const acts = useApprovalActs(hand);
  const actor = `staff:${me?.staffId ?? ''}`;
  const isOwn = [draft.createdBy, ...draft.editors, approval.state === 'none' ? null : approval.requestedBy].includes(actor);
  if (draft.state !== 'DRAFT') return null;
  return (
    <section className={classes.panel} aria-labelledby="approval">
      <h2 id="approval" className={classes.title}>
        Second person
      </h2>
      {approval.state === 'none' && <p>Somebody who has not written in this draft has to approve it as it is.</p>}
      {approval.state === 'requested' && (
        <p>
          {nameOf(approval.requestedBy)} asked for approval <Moment value={approval.requestedAt} />.
        </p>
      )}
      {approval.state === 'approved' && (
        <p>
          Approved by {nameOf(approval.by)} <Moment value={approval.at} />. The next change takes the approval away.
        </p>
      )}
      {approval.state === 'rejected' && (
        <p className={classes.refused}>
          {nameOf(approval.by)} sent it back <Moment value={approval.at} />: “{approval.reason}”
        </p>
      )}
      {may && (approval.state === 'none' || approval.state === 'rejected') && (
        <Action primary disabled={!isReady} busy={acts.busy} onClick={() => void acts.request()}>
          Ask for approval
        </Action>
      )}
      {may && approval.state === 'requested' && !isOwn && (
        <>
          <Action primary busy={acts.busy} onClick={() => void acts.approve()}>
            Approve these rules
          </Action>
          <Action danger onClick={() => setRejecting(true)}>
            Send back
          </Action>
        </>
      )}
      {may && approval.state === 'requested' && isOwn && (
        <p className={classes.quiet}>
          You have a hand in this draft, so it takes somebody else to approve it. Show them this page's address.
        </p>
      )}
      {rejecting && <Reject onReject={acts.reject} onClose={() => setRejecting(false)} />}
    </section>
  );
}

function Reject({ onReject, onClose }: { onReject: (reason: string) => Promise<string | null>; onClose: () => void }) {
  const [reason, setReason] = useState('');
  return (
    <Question
      title="Send the draft back?"
      verb="Send back"
      danger
      ready={reason.trim() !== ''}
      onGo={() => onReject(reason.trim())}
      onClose={onClose}
    >
      <Field label="Why, for those who wrote it" notes={[]}>
        {(described) => (
          <textarea
            className={fields.input}
            rows={3}
            maxLength={500}
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
            {...described}
          />
        )}
      </Field>
    </Question>
  );
}

function useApprovalActs(hand: DraftInHand) {
  const trpc = useTRPC();
  const { merchantId } = useRoutingScope();
  const refresh = useRefreshRouting();
  const request = useMutation(trpc.routing.drafts.requestApproval.mutationOptions());
  const approve = useMutation(trpc.routing.drafts.approve.mutationOptions());
  const reject = useMutation(trpc.routing.drafts.reject.mutationOptions());
  const seen = () => ({ merchantId, draftId: hand.draft.draftId, revision: hand.draft.revision });

  async function take(outcome: ApprovalOutcome): Promise<string | null> {
    await refresh();
    if (outcome.kind === 'requested' || outcome.kind === 'approved' || outcome.kind === 'rejected') {
      hand.adopt(outcome.draft);
      return null;
    }
    if (outcome.kind === 'stale') hand.adopt(outcome.draft);
    return refusalText(outcome);
  }
  async function tell(outcome: Promise<ApprovalOutcome>): Promise<void> {
    try {
      const refusal = await take(await outcome);
      if (refusal !== null) showToast({ tone: 'bad', text: refusal });
    } catch (error) {
      showToast({ tone: 'bad', text: error instanceof Error ? error.message : 'This did not work. Try again.' });
    }
  }
  return {
    busy: request.isPending || approve.isPending,
    request: () => tell(request.mutateAsync(seen())),
    approve: () => tell(approve.mutateAsync(seen())),
    reject: async (reason: string) => take(await reject.mutateAsync({ ...seen(), reason })),
  };
}

function refusalText(outcome: Exclude<ApprovalOutcome, { kind: 'requested' | 'approved' | 'rejected' }>): string {
  switch (outcome.kind) {
    case 'own_work':
      return 'You have a hand in this draft, so somebody else has to approve it.';
    case 'not_requested':
      return 'Nobody asks for approval any more, or somebody has answered.';
    case 'not_a_person':
      return 'Only people approve.';
    case 'stale':
      return 'The draft was saved meanwhile. Look at it again.';
    case 'stale_base':
      return `Version ${outcome.currentVersion} was published meanwhile. Settle that first.`;
    case 'broken_expectations':
      return outcome.broken[0]?.message ?? 'An expectation does not hold.';
    case 'invalid':
      return outcome.problems.map(({ field, message }) => `${field} ${message}`).join('; ');
    case 'not_a_draft':
      return 'It is no draft any more.';
    case 'not_found':
      return 'The draft is gone.';
    default:
      return outcome satisfies never;
  }
}
