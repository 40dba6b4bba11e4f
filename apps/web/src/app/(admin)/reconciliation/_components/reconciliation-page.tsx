'use client';

import dynamic from 'next/dynamic';
import { useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { Button } from '../../../../components/button.tsx';
import { ExportButton } from '../../../../components/export-button/export-button.tsx';
import { FilterField } from '../../../../components/filter-bar/filter-bar.tsx';
import { Freshness } from '../../../../components/freshness.tsx';
import { ListTools } from '../../../../components/list/list-tools.tsx';
import { useList } from '../../../../components/list/use-list.ts';
import { PageHead } from '../../../../components/page-head.tsx';
import { Refusal } from '../../../../components/refusal.tsx';
import { Segments } from '../../../../components/segments/segments.tsx';
import { WithPanel } from '../../../../components/side-panel/with-panel.tsx';
import { DISCREPANCY_KINDS, KIND_LABELS } from '../../../../copy/discrepancies.ts';
import { addDays } from '../../../../format/calendar.ts';
import { dayOf } from '../../../../format/moments.ts';
import { useScope } from '../../../../scope/use-scope.ts';
import { DAYS_SHOWN, filterParsers, panelParser, toDiscrepancyFilter } from '../filters.ts';
import { DayGrid } from './day-grid.tsx';
import { DISCREPANCY_LIST, DiscrepanciesTable } from './discrepancies-table.tsx';
import { NoDiscrepancies, NothingConnected } from './no-discrepancies.tsx';
import classes from './reconciliation-page.module.css';
import { SaveTotals } from './save-totals.tsx';
import { SelectedDay } from './selected-day.tsx';
import { TotalsTable } from './totals-table.tsx';
import { useReconciliation } from './use-reconciliation.ts';

const DiscrepancyPanel = dynamic(() => import('./discrepancy-panel.tsx').then((module) => module.DiscrepancyPanel));

const STATE_FILTERS = [
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
  { value: 'all', label: 'All' },
] as const;
const VIEWS = [
  { value: 'discrepancies', label: 'Discrepancies' },
  { value: 'totals', label: 'Totals' },
] as const;

/** Our ledger against each gateway's statement, by account and day. The URL holds the filters and the selection. */
export function ReconciliationPage() {
  const [filters, setFilters] = useQueryStates(filterParsers);
  const [{ discrepancy }, setPanel] = useQueryStates(panelParser, { history: 'push' });
  const found = useReconciliation(filters);
  const tools = useList(DISCREPANCY_LIST);
  const exported = toDiscrepancyFilter(useScope(), filters, found.days);
  const open = useCallback((discrepancyId: string) => void setPanel({ discrepancy: discrepancyId }), [setPanel]);
  const close = useCallback(() => void setPanel({ discrepancy: null }), [setPanel]);
  const [last = ''] = found.days;
  const latest = last >= addDays(dayOf(Date.now()), -1);
  const choose = (account: string, day: string) => {
    const again = filters.account === account && filters.day === day;
    void setFilters(again ? { account: '', day: '' } : { account, day });
  };
  const shownRuns = found.runs.filter(
    (run) => (filters.account === '' || run.accountId === filters.account) && (filters.day === '' || run.day === filters.day),
  );

  return (
    <WithPanel
      label="Reconciliation"
      panel={
        discrepancy !== null && (
          <DiscrepancyPanel
            key={discrepancy}
            discrepancyId={discrepancy}
            rows={found.discrepancies}
            onOpen={open}
            onClose={close}
          />
        )
      }
    >
      <PageHead title="Reconciliation">
        {filters.view === 'discrepancies' && (
          <ListTools list={tools}>
            <ExportButton list="discrepancies" filter={exported} />
          </ListTools>
        )}
        <SaveTotals days={found.days} />
        <Freshness updatedAt={found.updatedAt} fetching={found.isFetching} onRefresh={found.refetch} />
      </PageHead>
      <Refusal message={found.failure} />
      {!found.ready && found.failure === null && <div className={classes.skeleton} aria-hidden="true" />}
      {found.ready && found.accounts.length === 0 && <NothingConnected />}
      {found.ready && found.accounts.length > 0 && (
        <>
          <p className={classes.lead}>
            Each finished day, our payments and refunds are compared with the gateway's own list. A number is how many
            discrepancies are open, a dash that nothing was compared.
          </p>
          <div className={classes.pager}>
            <Button onClick={() => void setFilters({ until: addDays(last, -DAYS_SHOWN) })}>Earlier days</Button>
            <Button disabled={latest} onClick={() => void setFilters({ until: addDays(last, DAYS_SHOWN) })}>
              Later days
            </Button>
          </div>
          <DayGrid
            days={found.days}
            accounts={found.accounts}
            runs={found.runs}
            chosen={{ account: filters.account, day: filters.day }}
            onChoose={choose}
          />
          <SelectedDay
            account={found.accounts.find(({ accountId }) => accountId === filters.account)}
            day={filters.day}
            run={found.runs.find((run) => run.accountId === filters.account && run.day === filters.day)}
            onClear={() => void setFilters({ account: '', day: '' })}
            onAsked={found.refetch}
          />
          <div className={classes.bar}>
            <Segments label="Show" choices={VIEWS} value={filters.view} onChange={(view) => void setFilters({ view })} />
            {filters.view === 'discrepancies' && (
              <>
                <Segments
                  label="State"
                  choices={STATE_FILTERS}
                  value={filters.state}
                  onChange={(state) => void setFilters({ state })}
                />
                <FilterField label="Kind">
                  {(id) => (
                    <select
                      id={id}
                      value={filters.kind[0] ?? ''}
                      onChange={({ currentTarget }) => {
                        const kind = DISCREPANCY_KINDS.filter((known) => known === currentTarget.value);
                        void setFilters({ kind });
                      }}
                    >
                      <option value="">Any</option>
                      {DISCREPANCY_KINDS.map((kind) => (
                        <option key={kind} value={kind}>
                          {KIND_LABELS[kind].word}
                        </option>
                      ))}
                    </select>
                  )}
                </FilterField>
              </>
            )}
          </div>
          {filters.view === 'totals' && <TotalsTable runs={shownRuns} />}
          {filters.view === 'discrepancies' && found.discrepancies.length === 0 && (
            <NoDiscrepancies state={filters.state} kind={filters.kind[0] ?? null} runs={shownRuns} />
          )}
          {filters.view === 'discrepancies' && found.discrepancies.length > 0 && (
            <DiscrepanciesTable
              rows={found.discrepancies}
              shown={tools.shown}
              openId={discrepancy}
              onOpen={open}
              hasMore={found.hasMore}
              loadingMore={found.loadingMore}
              onMore={found.more}
            />
          )}
        </>
      )}
    </WithPanel>
  );
}
