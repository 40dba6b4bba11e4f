import { createLoader, parseAsArrayOf, parseAsBoolean, parseAsString } from 'nuqs/server';
import { periodBounds } from '#/components/filter-bar/period.ts';
import {
  type ChangeOf,
  type FiltersOf,
  isAnySet,
  type ListOrder,
  listParsers,
  readSort,
} from '#/components/list/list-parsers.ts';
import { pagesEvery } from '#/components/list/noun-query.ts';
import type { Scope } from '#/scope/scope.ts';
import type { Trpc } from '#/trpc/outputs.ts';

/** The filters of the log in the URL. */
export const filterParsers = {
  actor: parseAsArrayOf(parseAsString).withDefault([]),
  action: parseAsArrayOf(parseAsString).withDefault([]),
  kind: parseAsArrayOf(parseAsString).withDefault([]),
  /** The id of one object. */
  object: parseAsString.withDefault(''),
  /** Days, both inclusive: `2026-11-21`, `today-6`. */
  from: parseAsString.withDefault(''),
  to: parseAsString.withDefault(''),
  /** Only entries of the workspace itself. */
  workspace: parseAsBoolean.withDefault(false),
};

/** The entry whose change is open. */
export const entryParser = { entry: parseAsString };

/** Reads the page's state from the URL, on the server. */
export const loadAuditPage = createLoader({ ...filterParsers, sort: listParsers.sort });

/** The orders of the log. */
export const AUDIT_ORDERS: readonly [ListOrder] = [{ by: 'when', descending: true, title: 'Time' }];

/** The filters of the audit page. */
export type AuditFilters = FiltersOf<typeof filterParsers>;

/** A change of the filters; null clears one. */
export type FilterChange = ChangeOf<AuditFilters>;

/** Clears every filter in the URL. */
export const NO_FILTERS: FilterChange = {
  actor: null,
  action: null,
  kind: null,
  object: null,
  from: null,
  to: null,
  workspace: null,
};

const PAGE = 60;

/** The filters as the server takes them. A day that does not exist filters nothing. */
export function toAuditFilter(scope: Scope, filters: AuditFilters) {
  const { first, end } = periodBounds(filters);
  return {
    merchantId: filters.workspace ? null : scope.merchantId,
    workspace: filters.workspace,
    actors: [...filters.actor],
    actions: [...filters.action],
    objectTypes: [...filters.kind],
    objectId: filters.object.trim() === '' ? null : filters.object.trim(),
    from: first,
    to: end,
  };
}

/** A page of the log, in the order that the URL names. */
export function toListInput(scope: Scope, filters: AuditFilters, sort: string) {
  return { ...toAuditFilter(scope, filters), newestFirst: readSort(sort, AUDIT_ORDERS).descending, limit: PAGE };
}

/** The URL of the export of the same entries. */
export function exportHref(scope: Scope, filters: AuditFilters, format: 'csv' | 'ndjson' | 'xlsx'): string {
  const { merchantId, workspace, actors, actions, objectTypes, objectId, from, to } = toAuditFilter(scope, filters);
  const query = new URLSearchParams({ format });
  if (merchantId !== null) query.set('merchantId', merchantId);
  if (workspace) query.set('workspace', 'true');
  for (const actor of actors) query.append('actor', actor);
  for (const action of actions) query.append('action', action);
  for (const objectType of objectTypes) query.append('objectType', objectType);
  if (objectId !== null) query.set('objectId', objectId);
  if (from !== null) query.set('from', from.toISOString());
  if (to !== null) query.set('to', to.toISOString());
  return `/audit/export?${query}`;
}

/** True if anything is filtered at all. */
export function isFiltered(filters: AuditFilters): boolean {
  return isAnySet(filters, Object.keys(filterParsers));
}

/** Entries of these filters. */
export const auditQuery = (trpc: Trpc, scope: Scope, filters: AuditFilters, sort: string) =>
  trpc.audit.list.infiniteQueryOptions(toListInput(scope, filters, sort), pagesEvery(20_000, 1));
