'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { parseAsString, parseAsStringLiteral } from 'nuqs/server';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { wholeList } from '#/components/list/use-noun-list.ts';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { Select } from '#/components/select/select.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';

/** The meanings of codes, in the order of the filter. */
const MEANINGS = ['declined', 'ours', 'theirs', 'unknown'] as const;

/** The page's state in the URL: a gateway, what is made of its codes, and one code. */
const errorCodesParsers = {
  gateway: parseAsString,
  meaning: parseAsStringLiteral(MEANINGS),
  code: parseAsString,
};

type ErrorCode = RouterOutputs['gateways']['errorCodes'][number];

/** The choice of a select for any, as it has no empty value. */
const ALL = 'all';

const MEANING_LABELS = {
  declined: { word: 'Declined', tone: 'over' },
  ours: { word: 'Our fault', tone: 'wait' },
  theirs: { word: 'Their fault', tone: 'bad' },
  unknown: { word: 'Unknown', tone: 'wait' },
} as const;

const OPERATIONS: Readonly<Record<string, string>> = {
  open: 'opening a checkout',
  verify: 'look-up',
  refund: 'refund',
  find_refund: 'look-up of a refund',
};

/** The error codes of every gateway: what is made of each, and how often it came in 30 days. */
export function ErrorCodesPage() {
  const trpc = useTRPC();
  const scope = useScope();
  const [{ gateway, meaning, code }, setAddress] = useQueryStates(errorCodesParsers, { history: 'push' });
  const query = useQuery(trpc.gateways.errorCodes.queryOptions(scope));
  const gateways = [...new Set(query.data?.map((one) => one.gateway))];
  const rows = query.data?.filter(
    (one) =>
      (gateway === null || one.gateway === gateway) &&
      (meaning === null || one.meaning === meaning) &&
      (code === null || one.code === code),
  );
  return (
    <>
      <BackLink href={hrefIn(scope, '/gateways')}>Gateways</BackLink>
      <PageHead title="Error codes" />
      <p className="max-w-[90ch] -mt-2 mb-4 text-ink-quiet">
        A meaning is changed by a pull request: change the line of the code in the file that is named, below
        packages/gateways/src, with the section of the gateway’s document. Switchyard decides by the same line. Counts are of the
        last 30 days.
      </p>
      <div className="flex flex-wrap gap-2 items-center mb-4">
        <Select
          label="Gateway"
          labelPlace="inside"
          value={gateway ?? ALL}
          marked={gateway !== null}
          options={[{ value: ALL, label: 'All' }, ...gateways.map((name) => ({ value: name, label: gatewayTitle(name) }))]}
          onChange={(value) => void setAddress({ gateway: value === ALL ? null : value, code: null })}
        />
        <Select
          label="Meaning"
          labelPlace="inside"
          value={meaning ?? ALL}
          marked={meaning !== null}
          options={[{ value: ALL, label: 'All' }, ...MEANINGS.map((value) => ({ value, label: MEANING_LABELS[value].word }))]}
          onChange={(value) => void setAddress({ meaning: MEANINGS.find((one) => one === value) ?? null, code: null })}
        />
        {code !== null && <Button onClick={() => void setAddress({ code: null })}>All codes</Button>}
      </div>
      <NounTable
        label="Error codes"
        name="error-codes"
        list={wholeList(query, rows)}
        columns={columnsOf(scope)}
        rowKey={(one) => `${one.gateway} ${one.code}`}
        noun={['code', 'codes']}
        empty={<EmptyState title="No such code">No code of the gateway has this meaning.</EmptyState>}
      />
    </>
  );
}

function columnsOf(scope: Scope): DataColumn<ErrorCode>[] {
  return [
    { id: 'gateway', header: 'Gateway', labelled: true, cell: ({ gateway }) => gatewayTitle(gateway) },
    {
      id: 'code',
      header: 'Code',
      fixed: true,
      look: 'strong',
      card: 'main',
      wraps: true,
      cell: ({ code, words }) => (
        <>
          {code}
          {words !== code && <span className="block font-normal text-ink-quiet">{words}</span>}
        </>
      ),
    },
    {
      id: 'meaning',
      header: 'Meaning',
      labelled: true,
      cell: ({ meaning, section }) => (
        <>
          <Badge tone={MEANING_LABELS[meaning].tone}>{MEANING_LABELS[meaning].word}</Badge>
          {section === null && <span className="block text-ink-quiet text-xs">In no table</span>}
        </>
      ),
    },
    {
      id: 'count',
      header: 'Came',
      labelled: true,
      className: 'tabular-nums text-end card:text-start',
      sortable: 'descending',
      sortValue: ({ total }) => total,
      cell: ({ total }) => total.toLocaleString('en'),
    },
    {
      id: 'where',
      header: 'Where',
      labelled: true,
      wraps: true,
      cell: ({ counts, paymentIds }) => (
        <>
          {counts.map(({ accountId, accountLabel, merchantName, operation, count }) => (
            <span key={`${accountId} ${operation}`} className="block text-xs">
              {accountLabel}
              {scope.merchantId === null && ` · ${merchantName}`}, {OPERATIONS[operation] ?? operation}:{' '}
              {count.toLocaleString('en')}
            </span>
          ))}
          {paymentIds.length > 0 && (
            <span className="block text-xs">
              Latest payments:{' '}
              {paymentIds.map((paymentId, index) => (
                <Link key={paymentId} href={hrefIn(scope, `/payments/${paymentId}`)} prefetch={false} className="me-2">
                  {index + 1}
                </Link>
              ))}
            </span>
          )}
        </>
      ),
    },
    {
      id: 'first',
      header: 'First',
      labelled: true,
      sortable: 'descending',
      sortValue: ({ firstAt }) => firstAt,
      cell: ({ firstAt }) => (firstAt === null ? '' : <Moment value={firstAt} />),
    },
    {
      id: 'last',
      header: 'Last',
      labelled: true,
      sortable: 'descending',
      sortValue: ({ lastAt }) => lastAt,
      cell: ({ lastAt }) => (lastAt === null ? '' : <Moment value={lastAt} />),
    },
    {
      id: 'section',
      header: 'Document, file',
      labelled: true,
      wraps: true,
      cell: ({ section, file }) => (
        <>
          {section !== null && (
            <a href={section.address} target="_blank" rel="noreferrer">
              {section.title}
            </a>
          )}
          <code className="block text-xs" title={file}>
            {file.split('/').slice(-2).join('/')}
          </code>
        </>
      ),
    },
  ];
}
