'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useMemo } from 'react';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { FilterBar } from '#/components/filter-bar/filter-bar.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { type ListDefinition, useList } from '#/components/list/use-list.ts';
import { wholeList } from '#/components/list/use-noun-list.ts';
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
  const mayCreate = useCan()('merchant:create', null);
  const tools = useList(MERCHANT_LIST);
  const [{ q }, setView] = useQueryStates(viewParsers);
  const [doing, setDoing] = useQueryStates(dialogParser, { history: 'push' });
  const query = useQuery(
    trpc.merchants.overview.queryOptions({ mode, search: q.slice(0, 200) }, { placeholderData: keepPreviousData }),
  );
  const { data } = query;
  const columns = useMemo(() => columnsOf(mode), [mode]);
  return (
    <>
      <PageHead title="Merchants">
        <ListTools list={tools} />
        {mayCreate && (
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
      <NounTable
        label="Merchants"
        name="merchants"
        list={wholeList(query, data?.merchants)}
        tools={tools}
        columns={columns}
        rowKey={(row) => row.merchantId}
        noun={['merchant', 'merchants']}
        note={
          data !== undefined && data.total > data.merchants.length
            ? `The first of ${data.total.toLocaleString('en')}: search for the others.`
            : undefined
        }
        empty={
          <p className="max-w-[720px] py-3 text-ink-quiet text-sm">
            {q === ''
              ? 'No merchant yet. A merchant is a business that takes payments through Switchyard, with its own keys, gateway accounts and rules.'
              : `No merchants match “${q}”.`}
          </p>
        }
      />
      {doing.do === 'create' && mayCreate && (
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
      look: 'strong',
      card: 'main',
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
      look: 'time',
      card: 'second',
      cell: ({ merchantNumber }) => merchantNumber,
    },
    {
      id: 'keys',
      header: `Keys, ${mode}`,
      sortable: 'descending',
      sortValue: ({ keys }) => keys,
      look: 'number',
      priority: 3,
      cell: ({ keys }) => keys,
    },
    {
      id: 'accounts',
      header: `Accounts, ${mode}`,
      sortable: 'descending',
      sortValue: ({ accounts }) => accounts,
      look: 'number',
      priority: 3,
      cell: ({ accounts }) => accounts,
    },
    {
      id: 'rules',
      header: `Rules, ${mode}`,
      card: 'third',
      cell: ({ ruleSetVersion }) => (ruleSetVersion === null ? 'none' : `version ${ruleSetVersion}`),
    },
    {
      id: 'session',
      header: 'Session',
      priority: 5,
      className: 'tabular-nums',
      cell: ({ sessionMinutes }) => `${sessionMinutes} min`,
    },
    {
      id: 'duplicates',
      header: 'Duplicates',
      look: 'quiet',
      priority: 5,
      cell: ({ refundDuplicates }) => (refundDuplicates ? 'refunded automatically' : 'reviewed by staff'),
    },
  ];
}
