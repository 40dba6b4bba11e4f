'use client';

import { useMemo } from 'react';
import { shownDays } from '#/app/(admin)/reports/filters.ts';
import { currencyOf, useCurrencies } from '#/app/(admin)/reports/use-currencies.ts';
import { Button } from '#/components/button/button.tsx';
import { ColumnsButton } from '#/components/data-table/columns-button.tsx';
import { useTableColumns } from '#/components/data-table/use-table-columns.ts';
import { saveFile } from '#/components/export-button/download.ts';
import { Command } from '#/components/first-payment/first-payment.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { type ListDefinition, useList } from '#/components/list/use-list.ts';
import { Refusal } from '#/components/page/refusal.tsx';
import { useNow } from '#/components/time/now.tsx';
import { csvFile } from '#/format/csv.ts';
import { useScope } from '#/scope/use-scope.ts';
import { type ExplorerChange, type ExplorerFilters, toParameters } from '../filters.ts';
import { arrange, listColumns, listOrders, toCsv } from '../query-result.ts';
import { type Column, type QueryId, READY_QUERIES, ROWS_MAX, readyQuery } from '../ready-queries.ts';
import classes from './explorer-page.module.css';
import { QueryForm } from './query-form.tsx';
import { ResultTable } from './result-table.tsx';
import { useQueryResult } from './use-query-result.ts';

/** A result as a list of which views are saved: the query, its parameters, its columns and its order. */
function resultList(id: QueryId, columns: readonly Column[]): ListDefinition {
  return { page: 'explorer', table: tableOf(id), orders: listOrders(columns), notSaved: ['tab'] };
}

/** Each query has columns of its own. */
function tableOf(id: QueryId): string {
  return `explorer-${id}`;
}

/** A ready query, its parameters, its result, and its text. */
export function QueriesTab({ filters, onChange }: { filters: ExplorerFilters; onChange: (change: ExplorerChange) => void }) {
  const scope = useScope();
  const now = useNow();
  const query = readyQuery(filters.query);
  const { mode, merchantIds, from, to } = toParameters(scope, filters, now);
  const currencies = useCurrencies({ mode, ...(merchantIds.length > 0 && { merchantIds }), from, to });
  // The rows of some queries have a currency each; the others add up payments in one.
  const currency = query.currency === null ? currencyOf(filters.currency, currencies) : filters.currency;
  const parameters = toParameters(scope, { ...filters, currency }, now);
  const { data, error, isPlaceholderData } = useQueryResult(query, parameters);
  const days = shownDays(filters, now);
  const known = data?.columns;
  const columns = useMemo(() => known ?? query.columns(parameters), [known, query, parameters]);
  const list = useList(useMemo(() => resultList(query.id, columns), [query.id, columns]));
  const table = useTableColumns(
    tableOf(query.id),
    useMemo(() => listColumns(columns), [columns]),
  );
  const { sort = { by: '', descending: false } } = list;
  const result =
    data &&
    arrange(
      data,
      table.shown.map(({ id }) => id),
      sort,
    );

  function save() {
    if (result !== undefined) saveFile(csvFile(toCsv(result)), `${query.id}-${days.from}-${days.to}.csv`);
  }
  function choose(id: QueryId) {
    list.reset();
    onChange({ query: id, status: null });
  }
  return (
    <div className="grid grid-cols-[200px_minmax(0,1fr)] gap-6 items-start max-laptop:grid-cols-1 max-laptop:gap-4">
      <nav aria-label="Ready queries">
        <ul className="grid gap-0.5 max-laptop:flex max-laptop:flex-wrap">
          {READY_QUERIES.map(({ id, name }) => (
            <li key={id}>
              <button type="button" className={classes.name} aria-current={id === query.id} onClick={() => choose(id)}>
                {name}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <section className="min-w-0" aria-label={query.name}>
        <div className="flex flex-wrap items-center gap-2 mb-3">
          <p className="flex-[1_1_240px] text-ink-quiet text-sm">{query.about}</p>
          <ListTools list={list} viewsLabel="Saved queries" />
          <ColumnsButton table={table} />
          <Button onClick={save} disabled={data === undefined || isPlaceholderData}>
            Export CSV
          </Button>
        </div>
        <QueryForm query={query} filters={filters} days={days} currencies={currencies} currency={currency} onChange={onChange} />
        <Refusal message={error?.message ?? null} />
        {data === undefined && error === null && (
          // As tall as the window: the result of a month is taller, and what is below it then stays out of sight.
          <div className="h-[100dvh] rounded-xl bg-ground-quiet" role="status" aria-label="Loading the result" aria-busy="true" />
        )}
        {result !== undefined && (
          <div className="data-[stale=true]:opacity-60" data-stale={isPlaceholderData} aria-busy={isPlaceholderData}>
            <ResultTable result={result} list={list} zone={parameters.zone} />
            {result.hasMore && (
              <p className="mt-2 text-ink-quiet text-xs">
                The newest {ROWS_MAX} rows. Totals and order are of these rows; for all rows, choose a shorter period or export
                the list.
              </p>
            )}
          </div>
        )}
        <div className="mt-6 [&_h2]:mb-2 [&_h2]:text-base [&_h2]:font-semibold">
          <h2>GraphQL</h2>
          <Command text={query.text(parameters)} label="The query as GraphQL" />
        </div>
      </section>
    </div>
  );
}
