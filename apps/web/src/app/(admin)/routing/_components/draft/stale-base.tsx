'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { Button } from '#/components/button/button.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { DiffView } from '../history/diff-view.tsx';
import { type LiveRouting, usePeople, useRoutingScope } from '../queries/use-routing.ts';
import type { EditedDraft } from './use-draft.ts';

/** A version was published since the draft was begun: shows its changes before the draft replaces them. */
export function StaleBase({ edited, live, may }: { edited: EditedDraft; live: LiveRouting; may: boolean }) {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const { nameOf } = usePeople();
  const { draft } = edited;
  const current = live.ruleSet.version;
  const from = draft.baseVersion === 0 ? null : ({ kind: 'version', version: draft.baseVersion } as const);
  const { data: diff } = useQuery(trpc.routing.versions.diff.queryOptions({ ...scope, from, to: { kind: 'published' } }));
  const { data: versions } = useQuery(trpc.routing.versions.list.queryOptions({ ...scope, limit: 1 }));
  const save = useMutation(trpc.routing.drafts.save.mutationOptions());
  const theirs = versions?.items[0];

  async function takeOver(): Promise<void> {
    try {
      if (!(await edited.flush())) return;
      const outcome = await save.mutateAsync({
        merchantId: scope.merchantId,
        draftId: draft.draftId,
        revision: edited.storedRevision(),
        document: edited.document,
        baseVersion: current,
      });
      if (outcome.kind === 'saved' || outcome.kind === 'stale') edited.adopt(outcome.draft);
      if (outcome.kind !== 'saved')
        showToast({ tone: 'bad', text: 'Another person changed this draft meanwhile. Review it again.' });
    } catch (error) {
      showToast({ tone: 'bad', text: error instanceof Error ? error.message : 'This did not work. Try again.' });
    }
  }

  return (
    <section className="grid gap-3 p-4 border border-wait rounded-xl my-3 text-sm" aria-labelledby="stale-base">
      <h2 id="stale-base" className="flex gap-2 items-center text-lg font-semibold [&_svg]:flex-none [&_svg]:text-wait-ink">
        Version {current} was published after this draft was created
      </h2>
      <p>
        {theirs !== undefined && `By ${nameOf(theirs.publishedBy)}${theirs.reason ? `: “${theirs.reason}”` : ''}. `}
        This draft is based on {draft.baseVersion === 0 ? 'no version' : `version ${draft.baseVersion}`} and does not contain
        these changes. Copy what you want to keep on the Rules tab, then base the draft on version {current}.
      </p>
      {diff?.kind === 'compared' && <DiffView diff={diff.diff} accounts={live.accounts} />}
      <div className="flex flex-wrap gap-2">
        {may && (
          <Button loading={save.isPending} onClick={() => void takeOver()}>
            Base this draft on version {current}
          </Button>
        )}
        <Link href={hrefIn(scope, '/routing/history', { version: String(current) })}>Version {current} in the history</Link>
      </div>
    </section>
  );
}
