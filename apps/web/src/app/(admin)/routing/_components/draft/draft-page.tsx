'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { JsonView } from '#/components/copyable/json-view.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { RoutingSkeleton } from '../list/routing-skeleton.tsx';
import { useLive, useRoutingScope } from '../queries/use-routing.ts';
import { readDocument } from '../rules/document.ts';
import { DraftEditor } from './draft-editor.tsx';
import { draftName } from './draft-name.ts';
import type { RuleDraft } from './rule-draft.ts';

/** One draft: editable while open, its final state afterwards. */
export function DraftPage({ draftId }: { draftId: string }) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const live = useLive();
  const { data: draft } = useQuery(
    trpc.routing.drafts.byId.queryOptions({ merchantId: scope.merchantId, draftId }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  if (draft === undefined || live.data === undefined) return <RoutingSkeleton />;
  if (draft.mode !== scope.mode) return <InOtherMode draft={draft} />;
  if (draft.state !== 'DRAFT' && draft.state !== 'SCHEDULED') return <NotEditable draft={draft} />;
  const document = readDocument(draft.document);
  if (document === null) return <Unreadable draft={draft} />;
  return <DraftEditor draft={draft} document={document} live={live.data} />;
}

function InOtherMode({ draft }: { draft: RuleDraft }) {
  const { merchantId } = useRoutingScope();
  return (
    <Plain draft={draft} message={`This draft belongs to ${draft.mode} mode.`}>
      <Link href={hrefIn({ merchantId, mode: draft.mode }, `/routing/drafts/${draft.draftId}`)}>
        Open it in {draft.mode} mode
      </Link>
    </Plain>
  );
}

function NotEditable({ draft }: { draft: RuleDraft }) {
  const scope = useRoutingScope();
  const isDiscarded = draft.state === 'DISCARDED';
  return (
    <Plain draft={draft} message={isDiscarded ? 'This draft was discarded.' : 'This draft has been published.'}>
      <p>
        <Moment value={draft.updatedAt} />
      </p>
      <Link href={hrefIn(scope, isDiscarded ? '/routing' : '/routing/history')}>
        {isDiscarded ? 'Show the active rules' : 'Show it in the history'}
      </Link>
    </Plain>
  );
}

/** A program has stored something that is no rule set: shown as it is, since it cannot be edited here. */
function Unreadable({ draft }: { draft: RuleDraft }) {
  return (
    <Plain draft={draft} message="This draft does not contain rules, so it cannot be edited here.">
      <JsonView text={JSON.stringify(draft.document)} label="the stored draft" />
    </Plain>
  );
}

function Plain({ draft, message, children }: { draft: RuleDraft; message: string; children: React.ReactNode }) {
  return (
    <>
      <PageHead title={draftName(draft)} />
      <div className="grid gap-3 justify-items-start max-w-[90ch] text-ink-quiet">
        <p>{message}</p>
        {children}
      </div>
    </>
  );
}
