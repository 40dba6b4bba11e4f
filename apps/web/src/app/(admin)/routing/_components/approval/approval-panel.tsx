'use client';

import { useQuery } from '@tanstack/react-query';
import { Button } from '#/components/button/button.tsx';
import { describePeople } from '#/components/second-person/use-second-person.ts';
import { Moment } from '#/components/time/moment.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import type { EditedDraft } from '../draft/use-draft.ts';
import { usePeople } from '../queries/use-routing.ts';
import { AnswerApproval } from './answer-approval.tsx';
import { isOwnWork, useApprovalActions } from './use-approval-actions.ts';

/** The state of the draft's approval, and the actions of requester and approver. */
export function ApprovalPanel({ edited, may, isReady }: { edited: EditedDraft; may: boolean; isReady: boolean }) {
  const { draft } = edited;
  const { approval } = draft;
  const { nameOf, approvers } = usePeople();
  const trpc = useTRPC();
  const { data: me } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const acts = useApprovalActions(draft, edited.adopt);
  const isOwn = isOwnWork(draft, me?.staffId ?? '');
  const able = approvers.filter(({ staffId }) => staffId !== me?.staffId && !isOwnWork(draft, staffId)).map(({ name }) => name);
  if (draft.state !== 'DRAFT') return null;
  return (
    <section
      className="grid gap-3 justify-items-stretch p-4 border border-line-strong rounded-xl text-sm"
      aria-labelledby="approval"
    >
      <h2 id="approval" className="text-lg font-semibold tracking-[-0.005em]">
        Approval
      </h2>
      {approval.state === 'none' && <p>Someone who has not edited this draft has to approve it.</p>}
      {approval.state === 'requested' && (
        <p>
          {nameOf(approval.requestedBy)} requested approval <Moment value={approval.requestedAt} />.
        </p>
      )}
      {approval.state === 'approved' && (
        <p>
          Approved by {nameOf(approval.by)} <Moment value={approval.at} />. Any change removes the approval.
        </p>
      )}
      {approval.state === 'rejected' && (
        <p className="py-2 px-2.5 rounded-md bg-bad-soft text-bad-ink">
          {nameOf(approval.by)} declined it <Moment value={approval.at} />
          {approval.reason === null ? '.' : `: “${approval.reason}”`}
        </p>
      )}
      {may && (approval.state === 'none' || approval.state === 'rejected') && able.length > 0 && (
        <>
          <Button variant="accent" disabled={!isReady} loading={acts.busy} onClick={() => void acts.request()}>
            Request approval
          </Button>
          <p className="text-ink-faint text-sm">
            {describePeople(able)} can approve it, and will see the request under Needs attention.
          </p>
        </>
      )}
      {may && approval.state === 'requested' && !isOwn && <AnswerApproval acts={acts} to={nameOf(approval.requestedBy)} />}
      {may && approval.state === 'requested' && isOwn && able.length > 0 && (
        <p className="text-ink-faint text-sm">
          You edited this draft or requested its approval. {describePeople(able)} can approve it, and will see the request under
          Needs attention.
        </p>
      )}
      {may && isOwn && approval.state !== 'approved' && able.length === 0 && (
        <p className="py-2 px-2.5 rounded-md bg-bad-soft text-bad-ink">
          {approvers.length > 1
            ? 'Everyone who can approve rules here edited this draft. Export it and import it as a new draft of your own, which the others can approve.'
            : 'No one else can approve rules here. The Rules page shows what you can do.'}
        </p>
      )}
    </section>
  );
}
