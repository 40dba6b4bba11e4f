'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useQueryStates } from 'nuqs';
import { useDeferredValue, useMemo } from 'react';
import { CurrencyField, GroupField, PeriodFields, ZoneField } from '#/app/(admin)/reports/_components/report-filters.tsx';
import { type Days, shownDays, zoneOf } from '#/app/(admin)/reports/filters.ts';
import { currencyOf, queryGraphql, useCurrencies } from '#/app/(admin)/reports/query-graphql.ts';
import { Button } from '#/components/button/button.tsx';
import { ColumnsButton } from '#/components/data-table/columns-button.tsx';
import { useTableColumns } from '#/components/data-table/use-table-columns.ts';
import { saveFile } from '#/components/export-button/download.ts';
import { FilterBar, FilterMenu } from '#/components/filter-bar/filter-bar.tsx';
import { Command } from '#/components/first-payment/first-payment.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { type ListDefinition, useList } from '#/components/list/use-list.ts';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Tabs } from '#/components/tabs/tabs.tsx';
import { useNow } from '#/components/time/now.tsx';
import { statusLabel } from '#/copy/discrepancies.ts';
import { gatewayTitle, METHOD_NAMES, methodTitle } from '#/copy/gateways.ts';
import { csvFile } from '#/format/csv.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { type ExplorerChange, type ExplorerFilters, explorerParsers, toParameters } from '../filters.ts';
import {
  type Column,
  type QueryId,
  type QueryParameters,
  READY_QUERIES,
  type ReadyQuery,
  ROWS_MAX,
  readyQuery,
} from '../ready-queries.ts';
import { arrange, listColumns, listOrders, ResultTable, readResult, toCsv } from './result-table.tsx';

const EditorTab = dynamic(() => import('./editor-tab.tsx').then((module) => module.EditorTab));

const TABS = [
  { value: 'queries', label: 'Queries' },
  { value: 'editor', label: 'GraphQL editor' },
] as const;

/** Ready queries for finance with their results, and an editor for others. The URL holds the query and its parameters. */
export function ExplorerPage() {
  const [filters, setFilters] = useQueryStates(explorerParsers);
  const scope = useScope();
  return (
    <>
      <BackLink href={hrefIn(scope, '/developers')}>Developers</BackLink>
      <PageHead title="Finance explorer" />
      <Tabs label="Explorer" tabs={TABS} value={filters.tab} onChange={(tab) => void setFilters({ tab }, { history: 'push' })}>
        {filters.tab === 'editor' ? (
          <EditorTab filters={filters} />
        ) : (
          <QueriesTab filters={filters} onChange={(change) => void setFilters(change)} />
        )}
      </Tabs>
    </>
  );
}

const UNSORTED = { by: '', descending: false };

/** A result as a list of which views are saved: the query, its parameters, its columns and its order. */
function resultList(id: QueryId, columns: readonly Column[]): ListDefinition {
  return { page: 'explorer', table: tableOf(id), orders: listOrders(columns), notSaved: ['tab'] };
}

/** Each query has columns of its own. */
function tableOf(id: QueryId): string {
  return `explorer-${id}`;
}

/** A ready query, its parameters, its result, and its text. */
function QueriesTab({ filters, onChange }: { filters: ExplorerFilters; onChange: (change: ExplorerChange) => void }) {
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
  const { sort = UNSORTED } = list;
  const { shown } = table;
  const arranged = useMemo(
    () =>
      data &&
      arrange(
        data,
        shown.map(({ id }) => id),
        sort,
      ),
    [data, shown, sort],
  );
  // Hundreds of rows are drawn after what was pressed shows that it was.
  const result = useDeferredValue(arranged);

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
              <button
                type="button"
                className="menu-entry min-h-8 px-2.5 text-ink-quiet aria-[current=true]:bg-accent-soft aria-[current=true]:text-accent-ink aria-[current=true]:font-medium max-laptop:w-auto"
                aria-current={id === query.id}
                onClick={() => choose(id)}
              >
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

/** The parameters of a ready query. */
function QueryForm({
  query,
  filters,
  days,
  currencies,
  currency,
  onChange,
}: {
  query: ReadyQuery;
  filters: ExplorerFilters;
  days: Days;
  /** The currencies in use. */
  currencies: readonly string[];
  /** Empty for all. */
  currency: string;
  onChange: (change: ExplorerChange) => void;
}) {
  const has = (name: ReadyQuery['parameters'][number]) => query.parameters.includes(name);
  const isSet = [filters.gateway, filters.method, filters.status].some((values) => values.length > 0);
  return (
    <FilterBar onClear={isSet ? () => onChange({ gateway: null, method: null, status: null }) : null}>
      <PeriodFields filters={filters} days={days} onChange={onChange} />
      {has('by') && <GroupField value={filters.by} onChange={(by) => onChange({ by })} />}
      {has('currency') && (
        <CurrencyField
          inUse={currencies}
          value={currency}
          all={query.currency !== null}
          onChange={(chosen) => onChange({ currency: chosen })}
        />
      )}
      {has('gateway') && <GatewayFilter values={filters.gateway} onChange={(gateway) => onChange({ gateway })} />}
      {has('method') && (
        <Options
          label="Method"
          options={METHOD_NAMES}
          titleOf={methodTitle}
          values={filters.method}
          onChange={(method) => onChange({ method })}
        />
      )}
      {has('status') && (
        <Options
          label="Status"
          options={query.statuses}
          titleOf={statusLabel}
          values={filters.status}
          onChange={(status) => onChange({ status })}
        />
      )}
      <ZoneField value={zoneOf(filters)} onChange={(zone) => onChange({ zone })} />
    </FilterBar>
  );
}

/** The gateways of the accounts of the merchants shown. */
function GatewayFilter({ values, onChange }: { values: string[]; onChange: (values: string[] | null) => void }) {
  const trpc = useTRPC();
  const { merchantId, mode } = useScope();
  const { data = [] } = useQuery(trpc.reconciliation.accounts.queryOptions({ merchantId, mode }, { staleTime: 60_000 }));
  const gateways = [...new Set([...data.map(({ gateway }) => gateway), ...values])].sort();
  return <Options label="Gateway" options={gateways} titleOf={gatewayTitle} values={values} onChange={onChange} />;
}

function Options({
  label,
  options,
  titleOf,
  values,
  onChange,
}: {
  label: string;
  options: readonly string[];
  titleOf: (value: string) => string;
  values: string[];
  onChange: (values: string[] | null) => void;
}) {
  function toggle(value: string, on: boolean) {
    const next = on ? [...values, value] : values.filter((known) => known !== value);
    onChange(next.length === 0 ? null : next);
  }
  return (
    <FilterMenu width={220} label={label} value={values.map(titleOf).join(', ')}>
      <div className="grid gap-1 max-h-[280px] p-1 overflow-auto text-sm">
        {options.map((value) => (
          <label key={value} className="flex gap-2 items-center min-h-7">
            <input
              type="checkbox"
              checked={values.includes(value)}
              onChange={({ currentTarget }) => toggle(value, currentTarget.checked)}
            />
            {titleOf(value)}
          </label>
        ))}
        {options.length === 0 && 'Nothing to select yet.'}
      </div>
    </FilterMenu>
  );
}

/** The result of a ready query, asked of the endpoint that programs use. */
function useQueryResult(query: ReadyQuery, parameters: QueryParameters) {
  const text = query.text(parameters);
  return useQuery({
    queryKey: ['finance-query', text],
    queryFn: async ({ signal }) => readResult(query, parameters, await queryGraphql({ query: text }, signal)),
    // The table before stays while the same query loads with other parameters.
    placeholderData: (before, previous) =>
      previous?.queryKey[1]?.split('(')[0] === text.split('(')[0] ? keepPreviousData(before) : undefined,
    staleTime: 30_000,
    retry: false,
  });
}
