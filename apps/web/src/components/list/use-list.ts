'use client';

import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { columnsShown, type ListColumn } from './list-columns.ts';
import { type ListSort, listParsers, readSort, writeSort } from './list-parsers.ts';

/** The pages whose lists can be saved as views. */
export type ViewPage =
  | 'payments'
  | 'refunds'
  | 'duplicate-charges'
  | 'refund-approvals'
  | 'reviews'
  | 'discrepancies'
  | 'deliveries'
  | 'gateway-webhooks'
  | 'audit'
  | 'alerts'
  | 'alert-history'
  | 'alert-messages'
  | 'endpoints'
  | 'machine-tokens'
  | 'team'
  | 'keys'
  | 'merchants'
  | 'explorer';

/** Columns and orders of a list. Stable: made once outside of components, or memoised. */
export interface ListDefinition {
  readonly page: ViewPage;
  readonly columns: readonly ListColumn[];
  /**
   * The orders the server or the table can sort in, with the direction a first click chooses; the default one first. A `title` for what
   * is no column.
   */
  readonly orders?: readonly [ListSort & { readonly title?: string }, ...(ListSort & { readonly title?: string })[]];
  /** Parameters of the URL that are no part of a view, besides mode and merchant: the open panel or dialog. */
  readonly notSaved?: readonly string[];
}

/** A list's columns and order, which the URL holds, and how they change. */
export interface ListState {
  readonly definition: ListDefinition;
  /** The ids of the columns shown, in order. */
  readonly shown: readonly string[];
  /** True if the columns differ from the default ones. */
  readonly isChosen: boolean;
  /** Null for the default columns. */
  readonly setColumns: (columns: readonly string[] | null) => void;
  /** Undefined where the list has one order only. */
  readonly sort: ListSort | undefined;
  readonly setSort: (sort: ListSort) => void;
  /** Back to the default columns and order. */
  readonly reset: () => void;
}

/** The columns and the order of a page's list. */
export function useList(definition: ListDefinition): ListState {
  const [{ columns: wanted, sort }, set] = useQueryStates(listParsers);
  const { columns, orders } = definition;
  return useMemo(
    () => ({
      definition,
      shown: columnsShown(columns, wanted),
      isChosen: wanted.length > 0,
      setColumns: (chosen) => void set({ columns: chosen === null ? null : [...chosen] }),
      sort: orders === undefined ? undefined : readSort(sort, orders),
      setSort: (next) => void set({ sort: orders === undefined ? null : writeSort(next, orders) }),
      reset: () => void set({ columns: null, sort: null }),
    }),
    [definition, columns, orders, wanted, sort, set],
  );
}
