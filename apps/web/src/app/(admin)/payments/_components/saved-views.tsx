'use client';

import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { Button } from '../../../../components/button.tsx';
import { TextField } from '../../../../components/field/field.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { showToast } from '../../../../components/toasts/toast-store.ts';
import { hrefIn } from '../../../../scope/scope.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { useTRPC } from '../../../../trpc/client.tsx';
import type { RouterOutputs } from '../../../../trpc/outputs.ts';
import classes from './list-tools.module.css';

/** Parameters that are not part of a view. */
const NOT_SAVED = ['mode', 'merchant', 'payment'];
const PAGE = 'payments';

type View = RouterOutputs['savedViews']['list'][number];

/** Saved views: filters and columns under a name, private or shared with the team. */
export function SavedViews({ onDone }: { onDone: () => void }) {
  const trpc = useTRPC();
  const scope = useScope();
  const queries = useQueryClient();
  const current = useCurrentQuery();
  const { data: views, error } = useQuery(trpc.savedViews.list.queryOptions({ page: PAGE }));
  const refresh = () => queries.invalidateQueries(trpc.savedViews.list.queryFilter());
  const remove = useMutation(trpc.savedViews.remove.mutationOptions({ onSuccess: refresh }));
  const restore = useMutation(trpc.savedViews.save.mutationOptions({ onSuccess: refresh }));
  function take({ viewId, name, query, shared }: View) {
    const undo = () => restore.mutateAsync({ page: PAGE, name, query, shared });
    const done = () => showToast({ text: `View "${name}" was removed.`, action: { label: 'Undo', run: undo } });
    remove.mutate({ viewId }, { onSuccess: done });
  }
  const trouble = error ?? remove.error;
  return (
    <div className={classes.views}>
      {views?.map((view) => {
        const { viewId, name, query, own, ownerName, shared } = view;
        return (
          <div key={viewId} className={classes.view}>
            <Link
              href={hrefIn(scope, '/payments', Object.fromEntries(new URLSearchParams(query)))}
              className={classes.open}
              aria-current={query === current}
              onClick={onDone}
            >
              {name} {shared && <span className={classes.by}>{own ? 'shared' : `by ${ownerName}`}</span>}
            </Link>
            {own && (
              <button type="button" className={classes.remove} onClick={() => take(view)} aria-label={`Remove view "${name}"`}>
                <IconTrash size={15} stroke={1.7} aria-hidden="true" />
              </button>
            )}
          </div>
        );
      })}
      {views?.length === 0 && <p className={classes.none}>No views yet. Filter the list, then keep it here under a name.</p>}
      {trouble !== null && <Refusal message={trouble.message} />}
      <SaveForm query={current} onSaved={refresh} />
    </div>
  );
}

function SaveForm({ query, onSaved }: { query: string; onSaved: () => unknown }) {
  const trpc = useTRPC();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const save = useMutation(
    trpc.savedViews.save.mutationOptions({
      onSuccess: ({ kind }) => {
        if (kind === 'too_many') return setProblem('cannot be kept: you have 50 views already');
        showToast({ text: `View "${name.trim()}" was saved.` });
        setName('');
        return onSaved();
      },
    }),
  );
  function submit(event: FormEvent) {
    event.preventDefault();
    if (name.trim() === '') return setProblem('must not be empty');
    setProblem(null);
    save.mutate({ page: PAGE, name, query, shared });
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextField
        label="Keep this list as"
        value={name}
        maxLength={60}
        problem={problem ?? save.error?.message ?? null}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <label>
        <input type="checkbox" checked={shared} onChange={(event) => setShared(event.currentTarget.checked)} /> Visible to the
        team
      </label>
      <Button type="submit" busy={save.isPending}>
        Save view
      </Button>
    </form>
  );
}

/** The page's own part of its address, in a fixed order. */
function useCurrentQuery(): string {
  const current = new URLSearchParams(useSearchParams());
  for (const name of NOT_SAVED) current.delete(name);
  current.sort();
  return current.toString();
}
