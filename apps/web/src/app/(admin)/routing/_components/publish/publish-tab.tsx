'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { DraftTab } from '#/app/(admin)/routing/address.ts';
import { Button } from '#/components/button/button.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import { ApprovalPanel } from '../approval/approval-panel.tsx';
import { StaleBase } from '../draft/stale-base.tsx';
import type { EditedDraft } from '../draft/use-draft.ts';
import { Analysis } from '../editor/notes.tsx';
import { DiffView, summariseDiff } from '../history/diff-view.tsx';
import { CoverageMap, MapScope, useMapScope } from '../map/coverage-map.tsx';
import { Consequence } from '../moves/what-moves.tsx';
import type { LiveCheck } from '../queries/use-check.ts';
import { type LiveRouting, useLastDays, useNextVersion, usePeople, useRoutingScope } from '../queries/use-routing.ts';
import { useReplay } from '../replay/use-replay.ts';
import type { RuleDocument } from '../rules/document.ts';
import { listTakeovers, type Unmet, unmetIn } from '../rules/takeovers.ts';
import { describeShadowResult, useShadow } from '../shadow/use-shadow.ts';
import { PublishPanel } from './publish-panel.tsx';

const REPLAYED_DAYS = 7;
const TAKEN_MAX = 5;

/** The whole review of a publication on one page: impact, findings, changes, affected rules, the map before and after, approval and time. */
export function PublishTab({
  edited,
  live,
  check,
  may,
  onShow,
}: {
  edited: EditedDraft;
  live: LiveRouting;
  check: LiveCheck;
  may: boolean;
  onShow: (tab: DraftTab) => void;
}) {
  const { draft, saved } = edited;
  const { needsApproval } = usePeople();
  const diff = useDiff(edited, live.ruleSet.version);
  const [rules] = useState({ kind: 'draft' as const, draftId: draft.draftId });
  const replay = useReplay(rules, REPLAYED_DAYS, `${draft.revision} ${live.ruleSet.version}`, {
    enabled: saved.kind === 'saved',
  });
  const unmet = useUnmet(draft);
  const taken = check.takeovers === null ? [] : listTakeovers(check.takeovers, TAKEN_MAX);
  const isStale = draft.baseVersion !== live.ruleSet.version;
  const blocks = check.notes.all.filter(({ severity }) => severity === 'blocks');
  const isReady = saved.kind === 'saved' && check.check !== null && !check.check.blocks && !isStale;
  return (
    <div className="grid grid-cols-1 gap-8 min-[1000px]:grid-cols-[minmax(0,1fr)_340px] min-[1000px]:gap-14 min-[1000px]:max-w-[1440px]">
      <div className="min-w-0">
        {isStale && draft.state === 'DRAFT' && <StaleBase edited={edited} live={live} may={may} />}
        <section
          className="grid gap-2.5 justify-items-start mb-7 [&>*]:max-w-full [&>ul]:w-full [&_h2]:text-lg [&_h2]:font-semibold [&_h2]:tracking-[-0.005em]"
          aria-labelledby="follows"
        >
          <h2 id="follows">Impact</h2>
          <Consequence state={replay.state} days={REPLAYED_DAYS} accounts={live.accounts} onAgain={replay.again} />
          {replay.state.kind === 'done' && replay.state.result.moved > 0 && (
            <Button onClick={() => onShow('replay')}>Show the payments</Button>
          )}
        </section>
        <div className="grid gap-2.5 justify-items-start mb-7 [&>*]:max-w-full [&>ul]:w-full [&_h2]:text-lg [&_h2]:font-semibold [&_h2]:tracking-[-0.005em]">
          <Analysis check={check} unmet={unmet} />
          {blocks.length > 0 && <Button onClick={() => onShow('rules')}>Go to the rules</Button>}
        </div>
        <section
          className="grid gap-2.5 justify-items-start mb-7 [&>*]:max-w-full [&>ul]:w-full [&_h2]:text-lg [&_h2]:font-semibold [&_h2]:tracking-[-0.005em]"
          aria-labelledby="changes"
        >
          <h2 id="changes">
            Changes{' '}
            <span className="ml-2 text-ink-faint text-sm font-normal">
              {diff?.kind === 'compared' ? summariseDiff(diff.diff) : ''}
            </span>
          </h2>
          {diff?.kind === 'compared' && <DiffView diff={diff.diff} accounts={live.accounts} />}
          {diff?.kind === 'invalid' && (
            <p className="text-ink-quiet text-sm">The draft is not complete yet, so it cannot be compared.</p>
          )}
        </section>
        {taken.length > 0 && (
          <section
            className="grid gap-2.5 justify-items-start mb-7 [&>*]:max-w-full [&>ul]:w-full [&_h2]:text-lg [&_h2]:font-semibold [&_h2]:tracking-[-0.005em]"
            aria-labelledby="taken"
          >
            <h2 id="taken">Affected rules</h2>
            <ul className="grid gap-1 pl-4.5 list-disc">
              {taken.map((sentence) => (
                <li key={sentence}>{sentence}</li>
              ))}
            </ul>
          </section>
        )}
        <MapsBeforeAndAfter draft={edited.document} live={live} />
        <ShadowNote draftId={draft.draftId} revision={draft.revision} onShow={() => onShow('shadow')} />
      </div>
      <div className="grid gap-6 content-start min-[1000px]:sticky min-[1000px]:top-[calc(var(--bar-height)_+_var(--band-height)_+_16px)] min-[1000px]:self-start">
        {!may && (
          <p className="text-ink-quiet text-sm">
            You can read, try and replay this draft. Owners and operators of this merchant can publish it.
          </p>
        )}
        {(needsApproval || draft.approval.state !== 'none') && <ApprovalPanel edited={edited} may={may} isReady={isReady} />}
        {may && (
          <PublishPanel
            edited={edited}
            live={live}
            same={diff?.kind === 'compared' && diff.diff.same}
            why={whyNotReady({ isStale, blocks: blocks.length, isSaved: saved.kind === 'saved', isReady, needsApproval, edited })}
          />
        )}
      </div>
    </div>
  );
}

function useDiff({ draft }: EditedDraft, liveVersion: number) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const from = liveVersion === 0 ? null : ({ kind: 'published' } as const);
  const options = trpc.routing.versions.diff.queryOptions({ ...scope, from, to: { kind: 'draft', draftId: draft.draftId } });
  const { data, refetch } = useQuery({ ...options, staleTime: 0, refetchOnMount: 'always' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a saved draft differs otherwise.
  useEffect(() => {
    void refetch();
  }, [draft.revision]);
  return data;
}

/** Why the draft cannot be published yet, or null when it can. */
function whyNotReady({
  isStale,
  blocks,
  isSaved,
  isReady,
  needsApproval,
  edited: { draft },
}: {
  isStale: boolean;
  blocks: number;
  isSaved: boolean;
  isReady: boolean;
  needsApproval: boolean;
  edited: EditedDraft;
}): string | null {
  if (draft.state !== 'DRAFT') return null;
  if (!isSaved) return 'The draft has to be saved first.';
  if (isStale) return 'Another version was published after this draft was created: update the draft first.';
  if (blocks > 0) return 'Fix the errors first.';
  if (!isReady) return 'The draft is being checked.';
  if (needsApproval && draft.approval.state !== 'approved') return 'A second person has to approve it first.';
  return null;
}

const COMPARED_DAYS = 30;

/** Findings about a draft that no payment of the last 30 days met; null until it is known of the draft as stored. */
function useUnmet({ draftId, revision }: { readonly draftId: string; readonly revision: number }): Unmet | null {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const period = useLastDays(COMPARED_DAYS);
  const input = { ...scope, rules: { kind: 'draft' as const, draftId }, ...period };
  const { data, isFetching, refetch } = useQuery(
    trpc.routing.takeovers.queryOptions(input, { staleTime: 0, refetchOnMount: 'always' }),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: a saved draft has other findings.
  useEffect(() => {
    void refetch();
  }, [revision]);
  return data?.kind === 'compared' && !isFetching ? unmetIn(data, COMPARED_DAYS) : null;
}

/** Findings of the draft's shadow run, in the review of its publication; nothing where it never ran. */
function ShadowNote({ draftId, revision, onShow }: { draftId: string; revision: number; onShow: () => void }) {
  const { data } = useShadow(draftId);
  if (data === undefined || data === null) return null;
  return (
    <section
      className="grid gap-2.5 justify-items-start mb-7 [&>*]:max-w-full [&>ul]:w-full [&_h2]:text-lg [&_h2]:font-semibold [&_h2]:tracking-[-0.005em]"
      aria-labelledby="shadow-note"
    >
      <h2 id="shadow-note">
        Shadow{' '}
        <span className="ml-2 text-ink-faint text-sm font-normal">
          {data.endedAt === null
            ? 'running'
            : data.ended === 'SAVED' || data.draftRevision !== revision
              ? 'of an earlier state of the draft'
              : 'ended'}
        </span>
      </h2>
      <p>{describeShadowResult(data.summary)}</p>
      <Button onClick={onShow}>Show the shadow run</Button>
    </section>
  );
}

/** The rules that decide payments, in force and under the draft. */
function MapsBeforeAndAfter({ draft, live }: { draft: RuleDocument; live: LiveRouting }) {
  const scope = useMapScope(draft, live.accounts);
  const { version } = live.ruleSet;
  const next = useNextVersion(version);
  return (
    <section aria-labelledby="maps" className="mb-7">
      <h2 id="maps" className="mb-2.5 text-lg font-semibold tracking-[-0.005em]">
        Map before and after
      </h2>
      <MapScope {...scope} />
      <div className="grid grid-cols-1 gap-x-8 gap-y-5 min-[1700px]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <One
          title={version === 0 ? 'Now: no rules' : `Now: version ${version}`}
          document={live.ruleSet}
          live={live}
          scope={scope}
        />
        <One title={`After: version ${next}`} document={draft} live={live} scope={scope} />
      </div>
    </section>
  );
}

function One({
  title,
  document,
  live,
  scope: { currency, country, keys },
}: {
  title: string;
  document: RuleDocument;
  live: LiveRouting;
  scope: ReturnType<typeof useMapScope>;
}) {
  const [lit, setLit] = useState<string | null>(null);
  return (
    <div className="min-w-0">
      <h3 className="mb-1.5 text-ink-quiet text-sm font-medium">{title}</h3>
      <CoverageMap
        document={document}
        accounts={live.accounts}
        currency={currency}
        country={country}
        keys={keys}
        lit={lit}
        onLight={setLit}
        picked={null}
        onPick={() => undefined}
        hint="Point at a cell to see which rule decides."
      />
    </div>
  );
}
