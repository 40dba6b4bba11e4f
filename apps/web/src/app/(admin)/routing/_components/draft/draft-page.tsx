'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { type KeyboardEvent, useState } from 'react';
import { DRAFT_TABS, type DraftTab, draftParsers } from '#/app/(admin)/routing/address.ts';
import { RememberOpened } from '#/app-shell/commands/recent/remember-opened.tsx';
import { JsonView } from '#/components/copyable/json-view.tsx';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { Tabs } from '#/components/tabs/tabs.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { RulesTab } from '../editor/rules-tab.tsx';
import { type NewRule, withoutUntouched } from '../editor/use-rule-edits.tsx';
import { draftName } from '../list/draft-strip.tsx';
import { RoutingSkeleton } from '../list/routing-skeleton.tsx';
import { useCheck } from '../queries/use-check.ts';
import { type LiveRouting, useLive, useRoutingScope } from '../queries/use-routing.ts';
import { type RuleDocument, readDocument } from '../rules/document.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { DraftHead } from './draft-head.tsx';
import { type RuleDraft, useDraft } from './use-draft.ts';

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

/** A program has stored something that is not a rule set: shown as it is, since it cannot be edited here. */
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

const TryTab = dynamic(() => import('../try/try-tab.tsx').then((module) => module.TryTab));
const ReplayTab = dynamic(() => import('../replay/replay-tab.tsx').then((module) => module.ReplayTab));
const ShadowTab = dynamic(() => import('../shadow/shadow-tab.tsx').then((module) => module.ShadowTab));
const PublishTab = dynamic(() => import('../publish/publish-tab.tsx').then((module) => module.PublishTab));

const TAB_LABELS: Readonly<Record<DraftTab, string>> = {
  rules: 'Rules',
  try: 'Try a payment',
  replay: 'Replay',
  shadow: 'Shadow',
  publish: 'Review and publish',
};
const STEPS = DRAFT_TABS.map((value) => ({ value, label: TAB_LABELS[value] }));

/**
 * A draft in five steps: write it, try one payment, replay past ones, run it in shadow beside new ones, review and publish. The URL
 * holds the step shown.
 */
function DraftEditor({ draft: initial, document, live }: { draft: RuleDraft; document: RuleDocument; live: LiveRouting }) {
  const may = useCan()('routing:publish', initial.merchantId);
  const edited = useDraft(initial, document, may);
  const { draft, conflict } = edited;
  const mayWrite = may && draft.state === 'DRAFT' && conflict === null;
  const check = useCheck(edited, live.accounts);
  const [added, setAdded] = useState<NewRule | null>(null);
  const [{ tab }, setAddress] = useQueryStates(draftParsers, { history: 'push' });
  const show = (next: DraftTab) => {
    // From the review on, everything that is wrong is said.
    if (next === 'publish') setAdded(null);
    void setAddress({ tab: next });
  };

  function press(event: KeyboardEvent) {
    const isUndo = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'z';
    const isTyping = event.target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (!isUndo || isTyping || !mayWrite) return;
    event.preventDefault();
    edited.step(event.shiftKey ? 'redo' : 'undo');
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: undoing by keyboard works anywhere in the editor, its buttons beside it.
    <div onKeyDown={press}>
      <RememberOpened kind="draft" id={draft.draftId} title={draftName(draft)} mode={draft.mode} merchantId={draft.merchantId} />
      <Crumb />
      <DraftHead edited={edited} mayWrite={mayWrite} may={may} />
      {conflict !== null && <ConflictNotice conflict={conflict} edited={edited} accounts={live.accounts} />}
      <Tabs label="Steps of the draft" tabs={STEPS} value={tab} onChange={show}>
        {tab === 'rules' && (
          <RulesTab
            edited={edited}
            live={live}
            check={withoutUntouched(check, edited.document.rules, added)}
            mayWrite={mayWrite}
            setAdded={setAdded}
          />
        )}
        {tab === 'try' && <TryTab edited={edited} live={live} />}
        {tab === 'replay' && <ReplayTab edited={edited} live={live} onReview={() => show('publish')} />}
        {tab === 'shadow' && <ShadowTab edited={edited} live={live} check={check} may={may} onReview={() => show('publish')} />}
        {tab === 'publish' && <PublishTab edited={edited} live={live} check={check} may={may} onShow={show} />}
      </Tabs>
    </div>
  );
}

function Crumb() {
  const scope = useRoutingScope();
  return <BackLink href={hrefIn(scope, '/routing')}>Rules</BackLink>;
}
