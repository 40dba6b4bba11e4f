'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { RulesWaiverRequest } from '#/components/rules-approval/rules-approval.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import { DiffView, summariseDiff } from '../history/diff-view.tsx';
import { draftName } from '../list/draft-strip.tsx';
import { useLive, useMerchantName, usePeople, useRoutingScope } from '../queries/use-routing.ts';
import { isOwnWork, useApprovalActions } from './use-approval-actions.ts';

// Apart: most people open the page without a request to answer, and do not load the parts of forms.
const AnswerApproval = dynamic(() => import('./answer-approval.tsx').then((module) => module.AnswerApproval));

type DraftInList = RouterOutputs['routing']['drafts']['list'][number];

const SHOWN = 3;

/** Requests for the viewer's approval: drafts, each with requester and changes, and requests to let one person publish. */
export function ApprovalRequests() {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const name = useMerchantName();
  const may = useCan()('routing:publish', scope.merchantId);
  const { data: me } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const { data: drafts } = useQuery(trpc.routing.drafts.list.queryOptions(scope));
  const asked = (drafts ?? []).filter(
    (draft) => draft.state === 'DRAFT' && draft.approval.state === 'requested' && !isOwnWork(draft, me?.staffId ?? ''),
  );
  return (
    <>
      <RulesWaiverRequest merchant={{ merchantId: scope.merchantId, name }} />
      {may && me !== undefined && asked.slice(0, SHOWN).map((draft) => <Request key={draft.draftId} draft={draft} />)}
    </>
  );
}

function Request({ draft }: { draft: DraftInList }) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const live = useLive();
  const { nameOf } = usePeople();
  const acts = useApprovalActions(draft, (answered) => {
    if (answered.approval.state === 'approved') showToast({ text: `${draftName(draft)} is approved and can be published.` });
    if (answered.approval.state === 'rejected') showToast({ text: `${draftName(draft)} was declined.` });
  });
  const version = live.data?.ruleSet.version;
  const from = version === 0 ? null : ({ kind: 'published' } as const);
  const options = { ...scope, from, to: { kind: 'draft' as const, draftId: draft.draftId } };
  const { data: diff } = useQuery({ ...trpc.routing.versions.diff.queryOptions(options), enabled: version !== undefined });
  const approval = draft.approval;
  if (approval.state !== 'requested') return null;
  const requester = nameOf(approval.requestedBy);
  return (
    <section
      className="grid gap-2 max-w-[1040px] mb-2 p-3 border border-wait-ink rounded-xl text-sm"
      aria-label={`Approval of ${draftName(draft)}`}
    >
      <p>
        <b>
          {requester} requested your approval of {draftName(draft)}
        </b>{' '}
        <Moment value={approval.requestedAt} />
      </p>
      {diff?.kind === 'compared' && (
        <details open={countChanges(diff.diff) <= SHOWN}>
          <summary className="py-1 text-ink-quiet cursor-pointer">Changes: {summariseDiff(diff.diff)}</summary>
          <DiffView diff={diff.diff} accounts={live.data?.accounts ?? []} />
        </details>
      )}
      {version !== undefined && draft.baseVersion !== version && (
        <p className="text-ink-faint">
          It is based on version {draft.baseVersion}; version {version} is active. It has to be updated before it can be
          published.
        </p>
      )}
      <p>
        <Link href={hrefIn(scope, `/routing/drafts/${draft.draftId}`, { tab: 'publish' })}>
          Open the draft: impact, try, replay
        </Link>
      </p>
      <AnswerApproval acts={acts} to={requester} />
    </section>
  );
}

function countChanges({
  added,
  removed,
  changed,
  moved,
}: Extract<RouterOutputs['routing']['versions']['diff'], { kind: 'compared' }>['diff']) {
  return added.length + removed.length + changed.length + moved.length;
}
