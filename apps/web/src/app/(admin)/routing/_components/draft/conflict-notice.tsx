'use client';

import { IconAlertTriangle } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { draftName } from '../list/draft-strip.tsx';
import { RuleSummary } from '../list/rule-summary.tsx';
import { usePeople, useRoutingScope } from '../queries/use-routing.ts';
import { type Account, type Rule, type RuleDocument, readDocument } from '../rules/document.ts';
import { compareDocuments } from '../rules/edit.ts';
import type { Conflict, EditedDraft } from './use-draft.ts';

/** Two people edited at once: shows both versions, and keeps both with either choice. */
export function ConflictNotice({
  conflict: { mine, theirs },
  edited,
  accounts,
}: {
  conflict: Conflict;
  edited: EditedDraft;
  accounts: readonly Account[];
}) {
  const { nameOf } = usePeople();
  const { keepBoth, busy } = useKeepBoth();
  const their = readDocument(theirs.document);
  const who = nameOf(theirs.savedBy);
  async function choose(stays: 'mine' | 'theirs'): Promise<void> {
    const other = stays === 'mine' ? theirs.document : mine;
    const name = stays === 'mine' ? `${draftName(theirs)}, as ${who} had it` : `${draftName(theirs)}, as I had it`;
    if (!(await keepBoth(other, name.slice(0, 120)))) return;
    edited.adopt(theirs);
    if (stays === 'mine') edited.change(mine, 'Keeping mine');
    showToast({ text: `Both are kept. The other one is the draft “${name}”.` });
  }
  return (
    <section className="grid gap-3 p-4 border border-wait rounded-xl my-3 text-sm" aria-labelledby="conflict">
      <h2 id="conflict" className="flex gap-2 items-center text-lg font-semibold [&_svg]:flex-none [&_svg]:text-wait-ink">
        <IconAlertTriangle size={18} stroke={1.8} aria-hidden="true" />
        {who} saved this draft <Moment value={theirs.updatedAt} />, while you were writing
      </h2>
      <p>Nothing is lost. Whichever you keep here, the other becomes a draft of its own.</p>
      {their !== null && <VersionTable mine={mine} theirs={their} who={who} accounts={accounts} />}
      <div className="flex flex-wrap gap-2">
        <Button variant="accent" loading={busy} onClick={() => void choose('mine')}>
          Keep mine
        </Button>
        <Button loading={busy} onClick={() => void choose('theirs')}>
          Keep {who}'s
        </Button>
      </div>
    </section>
  );
}

/** Stores a document as a draft of its own. */
function useKeepBoth() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const scope = useRoutingScope();
  const create = useMutation(trpc.routing.drafts.create.mutationOptions());
  const save = useMutation(trpc.routing.drafts.save.mutationOptions());
  const [busy, setBusy] = useState(false);
  async function keepBoth(document: unknown, name: string): Promise<boolean> {
    setBusy(true);
    try {
      const created = await create.mutateAsync({ ...scope, from: { kind: 'empty' }, name });
      if (created.kind !== 'created') throw new Error('The other draft could not be stored, so nothing was decided yet.');
      const { draftId, revision } = created.draft;
      const stored = await save.mutateAsync({ merchantId: scope.merchantId, draftId, revision, document });
      if (stored.kind !== 'saved') throw new Error('The other draft could not be stored, so nothing was decided yet.');
      await queries.invalidateQueries(trpc.routing.drafts.list.queryFilter(scope));
      return true;
    } catch (error) {
      showToast({ tone: 'bad', text: error instanceof Error ? error.message : 'This did not work. Try again.' });
      return false;
    } finally {
      setBusy(false);
    }
  }
  return { keepBoth, busy };
}

function VersionTable({
  mine,
  theirs,
  who,
  accounts,
}: {
  mine: RuleDocument;
  theirs: RuleDocument;
  who: string;
  accounts: readonly Account[];
}) {
  const { onlyMine, onlyTheirs, changed, order, defaultOrder } = compareDocuments(mine, theirs);
  const rows: { readonly key: string; readonly mine: Rule | null; readonly theirs: Rule | null }[] = [
    ...changed.map((pair) => ({ key: pair.mine.ruleId, ...pair })),
    ...onlyMine.map((rule) => ({ key: rule.ruleId, mine: rule, theirs: null })),
    ...onlyTheirs.map((rule) => ({ key: rule.ruleId, mine: null, theirs: rule })),
  ];
  return (
    <>
      {rows.length > 0 && (
        <table className="lined-table table-fixed">
          <thead>
            <tr>
              <th scope="col">Yours</th>
              <th scope="col">{who}'s</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, 8).map((row) => (
              <tr key={row.key}>
                <td>{row.mine ? <RuleSummary rule={row.mine} accounts={accounts} /> : 'No such rule'}</td>
                <td>{row.theirs ? <RuleSummary rule={row.theirs} accounts={accounts} /> : 'No such rule'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {rows.length > 8 && <p>{rows.length - 8} more rules differ.</p>}
      {order && <p>The rules are in another order.</p>}
      {defaultOrder && <p>The default order differs.</p>}
    </>
  );
}
