'use client';

import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { Button } from '../button/button.tsx';
import { TextField } from '../field/field.tsx';
import { Refusal } from '../page/refusal.tsx';
import { showToast } from '../toasts/toast-store.ts';
import classes from './list-tools.module.css';
import type { ListDefinition } from './use-list.ts';

/** Parameters that are no part of any view. */
const SCOPE = ['mode', 'merchant'];

type View = RouterOutputs['savedViews']['list'][number];

/**
 * Saved views of a list: filters, columns and order under a name, private or shared with the team. Days are kept as they are in the
 * URL, so that the last seven days stay the last seven days.
 */
export function SavedViews({ definition, onDone }: { definition: ListDefinition; onDone: () => void }) {
  const { page } = definition;
  const path = usePathname();
  const trpc = useTRPC();
  const scope = useScope();
  const queries = useQueryClient();
  const current = useCurrentQuery(definition);
  const { data: views, error } = useQuery(trpc.savedViews.list.queryOptions({ page }));
  const refresh = () => queries.invalidateQueries(trpc.savedViews.list.queryFilter());
  const remove = useMutation(trpc.savedViews.remove.mutationOptions({ onSuccess: refresh }));
  const restore = useMutation(trpc.savedViews.save.mutationOptions({ onSuccess: refresh }));
  function take({ viewId, name, query, shared }: View) {
    const undo = () => restore.mutateAsync({ page, name, query, shared });
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
              href={hrefIn(scope, path, Object.fromEntries(new URLSearchParams(query)))}
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
      {views?.length === 0 && <p className={classes.none}>No views yet. Filter the list, then save it here.</p>}
      {trouble !== null && <Refusal message={trouble.message} />}
      <SaveForm page={page} query={current} onSaved={refresh} />
    </div>
  );
}

function SaveForm({ page, query, onSaved }: Pick<ListDefinition, 'page'> & { query: string; onSaved: () => unknown }) {
  const trpc = useTRPC();
  const [name, setName] = useState('');
  const [shared, setShared] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const save = useMutation(
    trpc.savedViews.save.mutationOptions({
      onSuccess: ({ kind }) => {
        if (kind === 'too_many') return setProblem('cannot be saved: you have 50 views already');
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
    save.mutate({ page, name, query, shared });
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      <TextField
        label="Save this view as"
        value={name}
        maxLength={60}
        error={problem ?? save.error?.message ?? null}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <label>
        <input type="checkbox" checked={shared} onChange={(event) => setShared(event.currentTarget.checked)} /> Visible to the
        team
      </label>
      <Button type="submit" loading={save.isPending}>
        Save view
      </Button>
    </form>
  );
}

/** The part of the page's URL that a view holds, in a fixed order. */
function useCurrentQuery({ notSaved = [] }: ListDefinition): string {
  const current = new URLSearchParams(useSearchParams());
  for (const name of [...SCOPE, ...notSaved]) current.delete(name);
  current.sort();
  return current.toString();
}
