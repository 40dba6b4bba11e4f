'use client';

import dynamic from 'next/dynamic';
import { useQueryStates } from 'nuqs';
import { type KeyboardEvent, useState } from 'react';
import { DRAFT_TABS, type DraftTab, draftParsers } from '#/app/(admin)/routing/address.ts';
import { RememberOpened } from '#/app-shell/commands/recent/remember-opened.tsx';
import { BackLink } from '#/components/back-link/back-link.tsx';
import { Tabs } from '#/components/tabs/tabs.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useCan } from '#/trpc/use-can.ts';
import { RulesTab } from '../editor/rules-tab.tsx';
import { type NewRule, withoutUntouched } from '../editor/untouched.ts';
import type { LiveRouting } from '../queries/live-routing.ts';
import { useCheck } from '../queries/use-check.ts';
import { useRoutingScope } from '../queries/use-routing.ts';
import type { RuleDocument } from '../rules/document.ts';
import { ConflictNotice } from './conflict-notice.tsx';
import { DraftHead } from './draft-head.tsx';
import { draftName } from './draft-name.ts';
import type { RuleDraft } from './rule-draft.ts';
import { useDraft } from './use-draft.ts';

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
export function DraftEditor({ draft: initial, document, live }: { draft: RuleDraft; document: RuleDocument; live: LiveRouting }) {
  const may = useCan()('routing:publish');
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
