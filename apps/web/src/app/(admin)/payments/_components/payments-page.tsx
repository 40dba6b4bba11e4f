'use client';

import dynamic from 'next/dynamic';
import { useSearchParams } from 'next/navigation';
import { useQueryStates } from 'nuqs';
import { useCallback, useEffect } from 'react';
import { ExportButton } from '../../../../components/export-button/export-button.tsx';
import { FirstPayment } from '../../../../components/first-payment.tsx';
import { Freshness } from '../../../../components/freshness.tsx';
import { ListTools } from '../../../../components/list/list-tools.tsx';
import { useList } from '../../../../components/list/use-list.ts';
import { PageHead } from '../../../../components/page-head.tsx';
import { WithPanel } from '../../../../components/side-panel/with-panel.tsx';
import { useScope } from '../../../../scope/use-scope.ts';
import { filterParsers, isFiltered, NO_FILTERS, panelParser, toPaymentFilter } from '../filters.ts';
import { rememberList } from '../last-list.ts';
import { columnsInFile, paymentList } from './columns.ts';
import { FilterBar } from './filter-bar.tsx';
import { NothingFound } from './nothing-found.tsx';
import { ListFailed, PaymentsSkeleton } from './payments-skeleton.tsx';
import { PaymentsTable } from './payments-table.tsx';
import { usePayments } from './use-payments.ts';

const loadPanel = () => import('./payment-panel.tsx');
const PaymentPanel = dynamic(() => loadPanel().then((module) => module.PaymentPanel));

/** The payments, and the panel of the selected one. The URL holds the filters and the selection. */
export function PaymentsPage({ publicUrl }: { publicUrl: string }) {
  const [filters, setFilters] = useQueryStates(filterParsers);
  const [{ payment }, setPanel] = useQueryStates(panelParser, { history: 'push' });
  const scope = useScope();
  const tools = useList(paymentList(scope));
  const list = usePayments(filters);
  useEffect(() => {
    // Preloads the panel, so that the first payment opens without delay.
    const timer = setTimeout(() => void loadPanel(), 1_500);
    return () => clearTimeout(timer);
  }, []);
  const search = useSearchParams().toString();
  useEffect(() => rememberList(search), [search]);
  const open = useCallback((paymentId: string) => void setPanel({ payment: paymentId }), [setPanel]);
  const close = useCallback(() => void setPanel({ payment: null }), [setPanel]);
  const clear = () => void setFilters(NO_FILTERS_IN_URL);

  return (
    <WithPanel
      label="Payments"
      wide
      panel={
        payment !== null && (
          <PaymentPanel
            key={payment}
            paymentId={payment}
            rows={list.state === 'ready' ? list.rows : []}
            onOpen={open}
            onClose={close}
          />
        )
      }
    >
      <PageHead title="Payments">
        <ListTools list={tools}>
          <ExportButton list="payments" filter={toPaymentFilter(scope, filters)} columns={columnsInFile(tools.shown)} />
        </ListTools>
        <Freshness updatedAt={list.updatedAt} fetching={list.isFetching} onRefresh={list.refetch} />
      </PageHead>
      <FilterBar filters={filters} onChange={setFilters} />
      {list.state === 'loading' && <PaymentsSkeleton />}
      {list.state === 'failed' && <ListFailed message={list.message} onRetry={list.refetch} />}
      {list.state === 'ready' &&
        list.rows.length === 0 &&
        (isFiltered(filters) ? <NothingFound onClear={clear} /> : <FirstPayment publicUrl={publicUrl} mode={scope.mode} />)}
      {list.state === 'ready' && list.rows.length > 0 && (
        <PaymentsTable
          rows={list.rows}
          shown={tools.shown}
          openId={payment}
          onOpen={open}
          hasMore={list.hasMore}
          loadingMore={list.loadingMore}
          onMore={list.more}
        />
      )}
    </WithPanel>
  );
}

const NO_FILTERS_IN_URL = { ...NO_FILTERS, status: [], gateway: [], method: [] };
