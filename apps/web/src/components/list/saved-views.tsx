'use client';

import { viewName } from '@switchyard/api/entered-fields';
import { IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { usePathname, useSearchParams } from 'next/navigation';
import * as z from 'zod/mini';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useTableChoice } from '../data-table/use-table-columns.ts';
import { Refusal } from '../page/refusal.tsx';
import { showToast } from '../toasts/toast-store.ts';
import type { ListDefinition } from './use-list.ts';

/** Parameters that belong to no view. */
const SCOPE = ['mode', 'merchant'];

type View = RouterOutputs['savedViews']['list'][number];

/**
 * Saved views of a list: filters, columns and order under a name, private or shared with the team. Days are kept as they are in the
 * URL, so that the last seven days stay the last seven days.
 */
export function SavedViews({ definition, onDone }: { definition: ListDefinition; onDone: () => void }) {
  const { page, table = page } = definition;
  const path = usePathname();
  const trpc = useTRPC();
  const scope = useScope();
  const queries = useQueryClient();
  const current = useCurrentQuery(definition);
  const { choice } = useTableChoice(table);
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
    <div className="grid gap-0.5 w-[300px] max-w-[80vw]">
      {views?.map((view) => {
        const { viewId, name, query, own, ownerName, shared } = view;
        return (
          <div key={viewId} className="flex items-center gap-1">
            <Link
              href={hrefIn(scope, path, Object.fromEntries(new URLSearchParams(query)))}
              className="flex-1 min-w-0 py-1.5 px-2 rounded-sm text-ink text-sm no-underline hover:bg-ground-hover aria-[current=true]:font-semibold"
              aria-current={query === current}
              onClick={onDone}
            >
              {name} {shared && <span className="text-ink-faint text-xs font-normal">{own ? 'shared' : `by ${ownerName}`}</span>}
            </Link>
            {own && (
              <button
                type="button"
                className="grid place-items-center w-7 h-7 rounded-sm text-ink-faint hover:bg-ground-hover hover:text-ink"
                onClick={() => take(view)}
                aria-label={`Remove view "${name}"`}
              >
                <IconTrash size={15} stroke={1.7} aria-hidden="true" />
              </button>
            )}
          </div>
        );
      })}
      {views?.length === 0 && (
        <p className="pt-1 px-2 pb-2 text-ink-faint text-sm">No views yet. Filter the list, then save it here.</p>
      )}
      {trouble !== null && <Refusal message={trouble.message} />}
      <SaveForm page={page} query={withColumns(current, choice.columns)} onSaved={refresh} />
    </div>
  );
}

const schema = z.object({ name: viewName, shared: z.boolean() });

/** Saves the filters, columns and order of a list under a name. */
export function SaveForm({ page, query, onSaved }: Pick<ListDefinition, 'page'> & { query: string; onSaved: () => unknown }) {
  const trpc = useTRPC();
  const save = useMutation(trpc.savedViews.save.mutationOptions());
  const form = useForm({
    schema,
    values: { name: '', shared: false },
    async onSubmit(view) {
      const { kind } = await save.mutateAsync({ page, query, ...view });
      if (kind === 'too_many') return [{ field: 'name', message: 'cannot be saved: you have 50 views already' }];
      showToast({ text: `View "${view.name}" was saved.` });
      form.enter({ name: '' });
      await onSaved();
      return null;
    },
  });
  return (
    <Form
      form={form}
      className="grid gap-3 py-1 px-2 text-sm not-first:mt-2 not-first:pt-3 not-first:border-t not-first:border-line"
      warns={false}
    >
      <form.Text name="name" label="Save this view as" maxLength={60} />
      <form.Checkbox name="shared" label="Visible to the team" />
      <FormRefusal small />
      <SubmitButton variant="plain">Save view</SubmitButton>
    </Form>
  );
}

/** The part of the page's URL that a view holds, in a fixed order. */
function useCurrentQuery({ notSaved = [] }: ListDefinition): string {
  const current = new URLSearchParams(useSearchParams());
  for (const name of [...SCOPE, ...notSaved]) current.delete(name);
  current.sort();
  return current.toString();
}

/** A view with the columns as they are shown, where those are not the default ones. */
function withColumns(query: string, columns: readonly string[] | null): string {
  const view = new URLSearchParams(query);
  if (columns !== null && !view.has('columns')) view.set('columns', columns.join(','));
  view.sort();
  return view.toString();
}
