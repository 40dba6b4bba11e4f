'use client';

import { useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useQueryStates } from 'nuqs';
import { useCallback, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { saveFile } from '#/components/export-button/download.ts';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { useList } from '#/components/list/use-list.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { WithPanel } from '#/components/side-panel/side-panel.tsx';
import { Tabs } from '#/components/tabs/tabs.tsx';
import { Freshness } from '#/components/time/freshness.tsx';
import { useNow } from '#/components/time/now.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { csvFile, csvLine } from '#/format/csv.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { filterParsers, panelParser, type ReconciliationChange, toDiscrepancyFilter, toRunsInput } from '../filters.ts';
import { DiscrepanciesSection, NothingConnected } from './discrepancies/discrepancies-section.tsx';
import { DISCREPANCY_LIST } from './discrepancies/discrepancies-table.tsx';
import { useReconciliation } from './use-reconciliation.ts';

const DiscrepancyPanel = dynamic(() => import('./discrepancies/discrepancy-panel.tsx').then((module) => module.DiscrepancyPanel));
const DaysSection = dynamic(() => import('./days/days-section.tsx').then((module) => module.DaysSection));
const TotalsTable = dynamic(() => import('./days/totals-table.tsx').then((module) => module.TotalsTable));
const ToleranceDialog = dynamic(() => import('./tolerance-dialog.tsx').then((module) => module.ToleranceDialog));

const VIEWS = [
  { value: 'discrepancies', label: 'Discrepancies' },
  { value: 'days', label: 'Days' },
  { value: 'totals', label: 'Totals' },
] as const;

/** Our ledger against each gateway's statement, by account and day. The URL holds the filters and the selection. */
export function ReconciliationPage() {
  const [filters, setFilters] = useQueryStates(filterParsers);
  const [{ discrepancy }, setPanel] = useQueryStates(panelParser, { history: 'push' });
  const [isToleranceOpen, setToleranceOpen] = useState(false);
  const found = useReconciliation(filters);
  const tools = useList(DISCREPANCY_LIST);
  const exported = toDiscrepancyFilter(useScope(), filters, useNow());
  const open = useCallback((discrepancyId: string) => void setPanel({ discrepancy: discrepancyId }), [setPanel]);
  const close = useCallback(() => void setPanel({ discrepancy: null }), [setPanel]);
  const change = (next: ReconciliationChange) => void setFilters(next);
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
            rows={found.discrepancies.rows}
            onOpen={open}
            onClose={close}
          />
        )
      }
    >
      <PageHead title="Reconciliation">
        {filters.view !== 'totals' && (
          <ListTools list={tools}>
            <ExportButton list="discrepancies" filter={exported} />
          </ListTools>
        )}
        <ExportTotals days={found.days} />
        <Button onClick={() => setToleranceOpen(true)}>Tolerance</Button>
        <Freshness updatedAt={found.updatedAt} fetching={found.isFetching} onRefresh={found.refetch} />
      </PageHead>
      <Refusal message={found.failure} />
      {!found.ready && found.failure === null && <div className="h-[240px] rounded-xl bg-ground-quiet" aria-hidden="true" />}
      {found.ready && found.accounts.length === 0 && <NothingConnected />}
      {found.ready && found.accounts.length > 0 && (
        <Tabs label="View" tabs={VIEWS} value={filters.view} onChange={(view) => change({ view })}>
          {filters.view === 'days' && (
            <>
              <p className="max-w-[720px] mb-3.5 text-ink-quiet text-sm">
                Each finished day, our payments and refunds are compared with the gateway's own list. A number is how many
                discrepancies are open, a dash that nothing was compared. Select a day for its discrepancies.
              </p>
              <DaysSection found={found} filters={filters} onChange={change} />
            </>
          )}
          {filters.view === 'totals' && <TotalsTable runs={shownRuns} />}
          {(filters.view === 'discrepancies' || (filters.view === 'days' && filters.day !== '')) && (
            <DiscrepanciesSection
              found={found}
              filters={filters}
              list={tools}
              openId={discrepancy}
              onChange={change}
              onOpen={open}
            />
          )}
        </Tabs>
      )}
      {isToleranceOpen && <ToleranceDialog onClose={() => setToleranceOpen(false)} />}
    </WithPanel>
  );
}

const TEXTS: ReadonlySet<string> = new Set<keyof Line>(['merchant', 'account', 'gateway', 'currency']);

type Line = RouterOutputs['reconciliation']['totals'][number];

function csvOf(titles: readonly string[], lines: readonly Line[]): string {
  const isNumber = (at: number) => !TEXTS.has(titles[at] ?? '');
  return [csvLine(titles), ...lines.map((line) => csvLine(Object.values(line), isNumber))].join('');
}

/** Exports the totals of the days shown as a file for a spreadsheet. */
function ExportTotals({ days }: { days: readonly string[] }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const scope = useScope();
  const [busy, setBusy] = useState(false);
  async function exportTotals() {
    setBusy(true);
    try {
      const { limit: _, ...input } = toRunsInput(scope, days);
      const lines = await queries.fetchQuery(trpc.reconciliation.totals.queryOptions(input));
      const [first] = lines;
      if (first === undefined) showToast({ text: 'No days compared yet in this period.', tone: 'bad' });
      else saveFile(csvFile(csvOf(Object.keys(first), lines)), `reconciliation-${input.from}-${input.to}.csv`);
    } catch (error) {
      showToast({ text: error instanceof Error ? error.message : 'The totals could not be fetched.', tone: 'bad' });
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button loading={busy} onClick={() => void exportTotals()}>
      Export totals
    </Button>
  );
}
