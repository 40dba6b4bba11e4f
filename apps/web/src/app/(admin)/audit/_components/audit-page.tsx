'use client';

import dynamic from 'next/dynamic';
import { useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { Button } from '#/components/button/button.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { ErrorState } from '#/components/error-state/error-state.tsx';
import { ListEnd } from '#/components/list/list-end.tsx';
import { writeSort } from '#/components/list/list-parsers.ts';
import { ListTools } from '#/components/list/list-tools.tsx';
import { useList } from '#/components/list/use-list.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { WithPanel } from '#/components/side-panel/with-panel.tsx';
import { Freshness } from '#/components/time/freshness.tsx';
import { AUDIT_ORDERS, entryParser, filterParsers, isFiltered, NO_FILTERS } from '../filters.ts';
import { AuditSkeleton } from './audit-skeleton.tsx';
import { AUDIT_LIST, AuditTable } from './audit-table.tsx';
import { ChainState } from './chain-state.tsx';
import { ExportMenu } from './export-menu.tsx';
import { FilterBar } from './filter-bar.tsx';
import { useAudit, useAuditCount } from './use-audit.ts';

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
      {log.state === 'loading' && <AuditSkeleton />}
      {log.state === 'failed' && log.error !== null && <ErrorState error={log.error} onRetry={log.refetch} />}
      {log.state === 'ready' && log.rows.length === 0 && (
        <EmptyState
          title={isFiltered(filters) ? 'No entries match these filters' : 'No entries yet'}
          action={isFiltered(filters) && <Button onClick={() => void setFilters(NO_FILTERS)}>Clear the filters</Button>}
        >
          {isFiltered(filters)
            ? 'Try a longer period or fewer filters.'
            : 'Every change is recorded here: connect a gateway, publish rules or invite a person to see an entry.'}
        </EmptyState>
      )}
      {log.state === 'ready' && log.rows.length > 0 && (
        <>
          <AuditTable rows={log.rows} list={tools} openId={entry} onOpen={open} onNearEnd={log.more} />
          <ListEnd
            loaded={log.rows.length}
            total={total}
            noun={['entry', 'entries']}
            hasMore={log.hasMore}
            loadingMore={log.loadingMore}
            onMore={log.more}
          />
        </>
      )}
    </WithPanel>
  );
}
