'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { Button } from '#/components/button/button.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { FilterBar } from '#/components/filter-bar/filter-bar.tsx';
import { ListEnd } from '#/components/list/list-end.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { type ListDefinition, useList } from '#/components/list/use-list.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { SearchField } from '#/components/search-field/search-field.tsx';
import { hrefIn, type Mode } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';

const CreateDialog = dynamic(() => import('./create-dialog.tsx').then((module) => module.CreateDialog));

const MERCHANT_LIST: ListDefinition = {
  page: 'merchants',
  orders: [
    { by: 'name', descending: false },
    { by: 'number', descending: false },
    { by: 'keys', descending: true },
    { by: 'accounts', descending: true },
  ],
  notSaved: ['do'],
};

type MerchantRow = RouterOutputs['merchants']['overview']['merchants'][number];

const viewParsers = { q: parseAsString.withDefault('') };
const dialogParser = { do: parseAsStringLiteral(['create'] as const) };

/** The merchants, and what each has configured. */
export function MerchantsPage() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { mode } = useScope();
  const can = useCan();
  const tools = useList(MERCHANT_LIST);
  const [{ q }, setView] = useQueryStates(viewParsers);
  const [doing, setDoing] = useQueryStates(dialogParser, { history: 'push' });
  const { data, error } = useQuery(
    trpc.merchants.overview.queryOptions({ mode, search: q.slice(0, 200) }, { placeholderData: keepPreviousData }),
  );
  const columns = useMemo(() => columnsOf(mode), [mode]);
  return (
    <>
      <PageHead title="Merchants">
        <ListTools list={tools} />
        {can('merchant:create', null) && (
          <Button variant="accent" onClick={() => void setDoing({ do: 'create' })}>
            Add merchant
          </Button>
        )}
      </PageHead>
      <FilterBar onClear={null}>
        <SearchField
          label="Search by name or number"
          placeholder="Name or number"
          value={q}
          onSearch={(text) => void setView({ q: text })}
        />
      </FilterBar>
      {error !== null && data === undefined && <p role="alert">{error.message}</p>}
      {data === undefined && error === null && (
        <div className="h-[240px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading merchants" />
      )}
      {data?.merchants.length === 0 && (
        <p className="max-w-[720px] py-3 text-ink-quiet text-sm">
          {q === ''
            ? 'No merchant yet. A merchant is a business that takes payments through Switchyard, with its own keys, gateway accounts and rules.'
            : `No merchants match “${q}”.`}
        </p>
      )}
      {data !== undefined && data.merchants.length > 0 && (
        <DataTable
          label="Merchants"
          name="merchants"
          columns={columns}
          rows={data.merchants}
          rowKey={(row) => row.merchantId}
          sort={tools.sort}
          onSort={tools.setSort}
        />
      )}
      {data !== undefined && data.merchants.length > 0 && (
        <ListEnd
          loaded={data.merchants.length}
          noun={['merchant', 'merchants']}
          note={
            data.total > data.merchants.length
              ? `The first of ${data.total.toLocaleString('en')}: search for the others.`
              : undefined
          }
        />
      )}
      {doing.do === 'create' && (
        <CreateDialog
          onDone={() => void queries.invalidateQueries({ queryKey: trpc.merchants.pathKey() })}
          onClose={() => void setDoing({ do: null })}
        />
      )}
    </>
  );
}

function columnsOf(mode: Mode): DataColumn<MerchantRow>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      fixed: true,
      sortable: 'ascending',
      sortValue: ({ name }) => name.toLowerCase(),
      className: 'font-medium card:area-main card:text-base',
      cell: ({ merchantId, name }) => (
        <Link className="row-link" href={hrefIn({ mode, merchantId }, `/merchants/${merchantId}`)}>
          {name}
        </Link>
      ),
    },
    {
      id: 'number',
      header: 'Number',
      sortable: 'ascending',
      sortValue: ({ merchantNumber }) => merchantNumber,
      className: 'tabular-nums card:area-second td:text-ink-quiet',
      cell: ({ merchantNumber }) => merchantNumber,
    },
    {
      id: 'keys',
      header: `Keys, ${mode}`,
      sortable: 'descending',
      sortValue: ({ keys }) => keys,
      className: 'tabular-nums text-end @max-[700px]/room:hidden',
      cell: ({ keys }) => keys,
    },
    {
      id: 'accounts',
      header: `Accounts, ${mode}`,
      sortable: 'descending',
      sortValue: ({ accounts }) => accounts,
      className: 'tabular-nums text-end @max-[700px]/room:hidden',
      cell: ({ accounts }) => accounts,
    },
    {
      id: 'rules',
      header: `Rules, ${mode}`,
      className: 'card:area-third',
      cell: ({ ruleSetVersion }) => (ruleSetVersion === null ? 'none' : `version ${ruleSetVersion}`),
    },
    {
      id: 'session',
      header: 'Session',
      className: 'tabular-nums @max-[980px]/room:hidden',
      cell: ({ sessionMinutes }) => `${sessionMinutes} min`,
    },
    {
      id: 'duplicates',
      header: 'Duplicates',
      className: '@max-[980px]/room:hidden td:text-ink-quiet',
      cell: ({ refundDuplicates }) => (refundDuplicates ? 'refunded automatically' : 'reviewed by staff'),
    },
  ];
}
