'use client';

import { IconChevronDown } from '@tabler/icons-react';
import dynamic from 'next/dynamic';
import { useQueryStates } from 'nuqs';
import { type ReactNode, useCallback, useMemo } from 'react';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import type { ListCount } from '#/components/list/list-end.tsx';
import { writeSort } from '#/components/list/list-parsers.ts';
import { ListTools } from '#/components/list/list-tools.tsx';
import { NothingListed } from '#/components/list/nothing-listed.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { type ListDefinition, type ListState, useList } from '#/components/list/use-list.ts';
import type { Pages } from '#/components/list/use-noun-list.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { Popup } from '#/components/popup/popup.tsx';
import { WithPanel } from '#/components/side-panel/side-panel.tsx';
import { Freshness } from '#/components/time/freshness.tsx';
import { describeAction, describeKind, describeMerchant } from '#/copy/audit.ts';
import { useScope } from '#/scope/use-scope.ts';
import { AUDIT_ORDERS, type AuditFilters, entryParser, exportHref, filterParsers, isFiltered, NO_FILTERS } from '../filters.ts';
import { ChainState } from './chain-state.tsx';
import { FilterBar } from './filter-bar.tsx';
import { type AuditEntry, useAudit, useAuditCount } from './use-audit.ts';

const EntryPanel = dynamic(() => import('./entry-panel.tsx').then((module) => module.EntryPanel));

/** The audit log, the verification of its hash chains, and the panel of the selected entry. */
export function AuditPage() {
  const [filters, setFilters] = useQueryStates(filterParsers);
  const [{ entry }, setEntry] = useQueryStates(entryParser, { history: 'push' });
  const tools = useList(AUDIT_LIST);
  const log = useAudit(filters, tools.sort === undefined ? '' : (writeSort(tools.sort, AUDIT_ORDERS) ?? ''));
  const total = useAuditCount(filters);
  const open = useCallback((id: string) => void setEntry({ entry: id }), [setEntry]);
  return (
    <WithPanel
      label="Audit log"
      panel={
        entry !== null && (
          <EntryPanel
            key={entry}
            entryId={entry}
            known={log.rows.find(({ entryId }) => entryId === entry)}
            rows={log.rows}
            onOpen={open}
            onClose={() => void setEntry({ entry: null })}
          />
        )
      }
    >
      <PageHead title="Audit">
        <Freshness updatedAt={log.updatedAt} fetching={log.isFetching} onRefresh={log.refetch} />
        <ListTools list={tools}>
          <ExportMenu filters={filters} />
        </ListTools>
      </PageHead>
      {log.state !== 'failed' && <ChainState />}
      {log.state !== 'failed' && <FilterBar filters={filters} onChange={setFilters} />}
      <AuditTable
        list={log}
        tools={tools}
        total={total}
        openId={entry}
        onOpen={open}
        empty={
          <NothingListed nouns="entries" onClear={isFiltered(filters) ? () => void setFilters(NO_FILTERS) : null}>
            Every change is recorded here: connect a gateway, publish rules or invite a person to see an entry.
          </NothingListed>
        }
      />
    </WithPanel>
  );
}

/** Exports the filtered entries as a file. */
function ExportMenu({ filters }: { filters: AuditFilters }) {
  const scope = useScope();
  const face = (
    <>
      Export
      <IconChevronDown size={14} stroke={1.7} aria-hidden="true" />
    </>
  );
  return (
    <Popup
      label="Export"
      align="end"
      width={240}
      button={{ className: 'bar-control', children: face }}
      content={(close) => (
        <div className="grid gap-1.5 text-sm">
          <a
            className="p-2 rounded-md text-ink no-underline hover:bg-ground-hover [&_small]:text-ink-faint [&_small]:text-xs"
            href={exportHref(scope, filters, 'xlsx')}
            download
            onClick={close}
          >
            XLSX <small>for a spreadsheet</small>
          </a>
          <a
            className="p-2 rounded-md text-ink no-underline hover:bg-ground-hover [&_small]:text-ink-faint [&_small]:text-xs"
            href={exportHref(scope, filters, 'csv')}
            download
            onClick={close}
          >
            CSV <small>for spreadsheets and programs</small>
          </a>
          <a
            className="p-2 rounded-md text-ink no-underline hover:bg-ground-hover [&_small]:text-ink-faint [&_small]:text-xs"
            href={exportHref(scope, filters, 'ndjson')}
            download
            onClick={close}
          >
            NDJSON <small>for programs, a line each</small>
          </a>
          <p className="text-ink-faint text-xs px-2">All entries that match the filters, newest first.</p>
        </div>
      )}
    />
  );
}

/** The log as a list. */
const AUDIT_LIST: ListDefinition = {
  page: 'audit',
  orders: AUDIT_ORDERS,
  notSaved: ['entry'],
};

/** The entries, in the order of the list. */
function AuditTable({
  openId,
  onOpen,
  ...table
}: {
  list: Pages<AuditEntry>;
  tools: ListState;
  total: ListCount | undefined;
  openId: string | null;
  onOpen: (entryId: string) => void;
  /** Shown while there is none. */
  empty: ReactNode;
}) {
  const columns = useMemo(
    (): DataColumn<AuditEntry>[] => [
      {
        id: 'what',
        header: 'Action',
        fixed: true,
        card: 'main',
        className: 'card:whitespace-nowrap',
        cell: ({ entryId, action }) => (
          <button type="button" className="row-link font-medium text-start" data-entry={entryId} onClick={() => onOpen(entryId)}>
            {describeAction(action)}
          </button>
        ),
      },
      {
        id: 'who',
        header: 'Actor',
        card: 'second',
        cell: ({ actor, actorName }) => <span title={actor}>{actorName}</span>,
      },
      {
        id: 'object',
        header: 'Object',
        className:
          'td:text-ink-quiet [&_code]:text-ink-faint [&_code]:text-xs card:td:area-third card:td:max-w-[60cqi] card:td:truncate card:td:text-end',
        fills: true,
        cell: ({ objectType, objectId, objectName }) => (
          <span title={objectId}>
            {describeKind(objectType)} {objectName === null ? <code>{objectId.slice(-6)}</code> : <strong>{objectName}</strong>}
          </span>
        ),
      },
      {
        id: 'of',
        header: 'Merchant',
        look: 'quiet',
        priority: 3,
        cell: ({ merchantId, merchantName }) => describeMerchant(merchantId, merchantName),
      },
      {
        id: 'when',
        header: 'Time',
        sortable: 'descending',
        card: 'aside',
        moment: ({ createdAt }) => createdAt,
      },
    ],
    [onOpen],
  );
  return (
    <NounTable
      label="Audit log"
      name="audit"
      columns={columns}
      rowKey={({ entryId }) => entryId}
      openKey={openId}
      noun={['entry', 'entries']}
      {...table}
    />
  );
}
