'use client';

import { useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { columnsParser, type ListOrder, type ListSort, listParsers, readSort, writeSort } from './list-parsers.ts';

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

/** The orders of a list. Stable: made once outside of components, or memoised. */
export interface ListDefinition {
  readonly page: ViewPage;
  /** The name under which the columns of its table are kept, where that is not the page. */
  readonly table?: string;
  /** The orders the server or the table can sort in, with the direction a first click chooses; the default one first. */
  readonly orders?: readonly [ListOrder, ...ListOrder[]];
  /** True where rows have no headers to sort by. */
  readonly isCards?: boolean;
  /** Parameters of the URL that belong to no view, besides mode and merchant: the open panel or dialog. */
  readonly notSaved?: readonly string[];
}

/** A list's order, which the URL holds, and how it changes. */
export interface ListState {
  readonly definition: ListDefinition;
  /** Undefined where the list has one order only. */
  readonly sort: ListSort | undefined;
  readonly setSort: (sort: ListSort) => void;
  /** Back to the default order, and to the viewer's own columns. */
  readonly reset: () => void;
}

/** The order of a page's list. */
export function useList(definition: ListDefinition): ListState {
  const [{ sort }, set] = useQueryStates(PARSERS);
  const { orders } = definition;
  return useMemo(
    () => ({
      definition,
      sort: orders === undefined ? undefined : readSort(sort, orders),
      setSort: (next) => void set({ sort: orders === undefined ? null : writeSort(next, orders) }),
      reset: () => void set({ columns: null, sort: null }),
    }),
    [definition, orders, sort, set],
  );
}

const PARSERS = { ...columnsParser, ...listParsers };
