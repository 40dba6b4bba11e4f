'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterInputs } from '#/trpc/outputs.ts';
import { columnsParser } from '../list/list-parsers.ts';
import { showToast } from '../toasts/toast-store.ts';

type TableChoice = NonNullable<RouterInputs['account']['setTable']['choice']>;

/** A table's columns as the viewer wants them, and how that changes. */
export interface TableColumns<Column extends TableColumn> {
  /** Every column the table can have, in the default order. */
  readonly columns: readonly Column[];
  /** The columns shown, in order, the pinned ones first. */
  readonly shown: readonly Column[];
  /** Ids of the columns that stay in sight when the table scrolls sideways. */
  readonly pinned: ReadonlySet<string>;
  /** True if the columns differ from the default ones. */
  readonly isChosen: boolean;
  readonly show: (ids: readonly string[]) => void;
  readonly pin: (id: string, isPinned: boolean) => void;
  /** Back to the default columns, none of them pinned. */
  readonly reset: () => void;
}

const DEFAULT: TableChoice = { columns: null, pinned: [] };

/**
 * The columns that the viewer chose for a table, kept with the person on the server. A saved view that names columns comes before them,
 * until the columns are changed.
 */
export function useTableColumns<Column extends TableColumn>(table: string, columns: readonly Column[]): TableColumns<Column> {
  const { choice, keep } = useTableChoice(table);
  const [{ columns: ofView }, setView] = useQueryStates(columnsParser);
  return useMemo(() => {
    const pinned = new Set(choice.pinned);
    const wanted = ofView.length > 0 ? ofView : (choice.columns ?? []);
    const ids = columnsShown(columns, wanted, pinned);
    const change = (next: TableChoice) => {
      keep(next.columns === null && next.pinned.length === 0 ? null : next);
      if (ofView.length > 0) void setView({ columns: null });
    };
    const chosen = wanted.length > 0 ? ids : null;
    return {
      columns,
      shown: ids.flatMap((id) => columns.find((column) => column.id === id) ?? []),
      pinned,
      isChosen: wanted.length > 0 || pinned.size > 0,
      show: (next) => change({ columns: [...next], pinned: choice.pinned.filter((id) => next.includes(id)) }),
      pin: (id, isPinned) => {
        const others = choice.pinned.filter((each) => each !== id);
        change({ columns: chosen, pinned: isPinned ? [...others, id] : others });
      },
      reset: () => change(DEFAULT),
    };
  }, [columns, choice, keep, ofView, setView]);
}

/** The viewer's choice for a table; the default one while it is not known. */
export function useTableChoice(table: string) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { data } = useQuery(trpc.account.tables.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }));
  // One after the other: the last choice is the one that stays.
  const { mutate } = useMutation(trpc.account.setTable.mutationOptions({ scope: { id: 'tables' }, onError: sayNotKept }));
  const keep = useMemo(() => {
    const key = trpc.account.tables.queryKey();
    return (choice: TableChoice | null) => {
      queries.setQueryData(key, (all = {}) => ({ ...all, [table]: choice ?? DEFAULT }));
      mutate({ table, choice });
    };
  }, [trpc, queries, table, mutate]);
  return { choice: data?.[table] ?? DEFAULT, keep };
}

function sayNotKept(): void {
  showToast({ text: 'Your columns could not be kept. They last until you leave the page.' });
}

/** A column that a table can have, whether it is shown or not. */
export interface TableColumn {
  readonly id: string;
  readonly header: string;
  /** Only shown when chosen. */
  readonly optional?: boolean | undefined;
  /** Always shown: it holds the link to the row, or its actions. */
  readonly fixed?: boolean | undefined;
}

/**
 * The ids of the columns to show, in order: the wanted ones and the fixed ones, or the default ones where none is wanted. What the table
 * does not have is left out. Fixed columns that are not named keep their place: the first ones are first, the others last. Pinned
 * columns come before all others.
 */
export function columnsShown(
  columns: readonly TableColumn[],
  wanted: readonly string[],
  pinned: ReadonlySet<string> = new Set(),
): string[] {
  const known = wanted.filter((id, at) => columns.some((column) => column.id === id) && wanted.indexOf(id) === at);
  const missing = columns.filter(({ id, fixed }) => fixed === true && !known.includes(id)).map(({ id }) => id);
  const last = columns.at(-1)?.id;
  const shown =
    known.length === 0
      ? columns.flatMap(({ id, optional }) => (optional === true ? [] : [id]))
      : [...missing.filter((id) => id !== last), ...known, ...missing.filter((id) => id === last)];
  return [...shown.filter((id) => pinned.has(id)), ...shown.filter((id) => !pinned.has(id))];
}
