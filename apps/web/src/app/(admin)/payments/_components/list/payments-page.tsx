'use client';

import dynamic from 'next/dynamic';
import { useSearchParams } from 'next/navigation';
import { useQueryStates } from 'nuqs';
import { useCallback, useEffect } from 'react';
import {
  doingParser,
  filterParsers,
  isFiltered,
  NO_FILTERS,
  PAYMENT_ORDERS,
  type PaymentFilters,
  panelParser,
  toPaymentFilter,
} from '#/app/(admin)/payments/filters.ts';
import { rememberList } from '#/app/(admin)/payments/last-list.ts';
import { Button } from '#/components/button/button.tsx';
import { useTableColumns } from '#/components/data-table/use-table-columns.ts';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { FirstPayment } from '#/components/first-payment/first-payment.tsx';
import { addCounts, type ListCount } from '#/components/list/list-end.tsx';
import { writeSort } from '#/components/list/list-parsers.ts';
import { ListTools } from '#/components/list/list-tools.tsx';
import { HiddenByFilters } from '#/components/list/nothing-listed.tsx';
import { StatusTabs } from '#/components/list/status-tabs.tsx';
import { useList } from '#/components/list/use-list.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { WithPanel } from '#/components/side-panel/side-panel.tsx';
import { Freshness } from '#/components/time/freshness.tsx';
import { type PaymentStatus, STATUS_LABELS } from '#/copy/payment-status.ts';
import { useScope } from '#/scope/use-scope.ts';
import { FilterBar } from './filter-bar.tsx';
import type { FilterChange } from './filter-choices.tsx';
import { columnsInFile, PAYMENT_LIST, PaymentsTable, paymentColumns, usePaymentCounts, usePayments } from './payments-table.tsx';

const loadPanel = () => import('../detail/payment-panel.tsx');
const PaymentPanel = dynamic(() => loadPanel().then((module) => module.PaymentPanel));

/** The payments, and the panel of the selected one. The URL holds the filters and the selection. */
export function PaymentsPage({ publicUrl }: { publicUrl: string }) {
  const [filters, setFilters] = useQueryStates(filterParsers);
  const [{ payment }, setPanel] = useQueryStates(panelParser, { history: 'push' });
  const [doing, setDoing] = useQueryStates(doingParser);
  const stopExport = useCallback(() => void setDoing({ do: null }), [setDoing]);
  const scope = useScope();
  const tools = useList(PAYMENT_LIST);
  const { shown } = useTableColumns(PAYMENT_LIST.page, paymentColumns(scope));
  const sort = tools.sort === undefined ? '' : (writeSort(tools.sort, PAYMENT_ORDERS) ?? '');
  const list = usePayments(filters, sort);
  const counts = usePaymentCounts(filters);
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
          <ExportButton
            list="payments"
            filter={toPaymentFilter(scope, filters)}
            columns={columnsInFile(shown)}
            isAsked={doing.do === 'export'}
            onClose={stopExport}
          />
        </ListTools>
        <Freshness updatedAt={list.updatedAt} fetching={list.isFetching} onRefresh={list.refetch} />
      </PageHead>
      <StatusTabs
        label="Status"
        tabs={STATUS_TABS.map((value) => ({ value, label: STATUS_LABELS[value].word, count: counts?.byStatus[value] }))}
        all={counts?.all}
        chosen={filters.status}
        onChange={(status) => void setFilters({ status: status === null ? null : [status] })}
      />
      <FilterBar filters={filters} onChange={setFilters} />
      <PaymentsTable
        list={list}
        tools={tools}
        total={totalOf(counts, filters.status)}
        openId={payment}
        onOpen={open}
        empty={
          isFiltered(filters) ? (
            <NothingFound filters={filters} onChange={setFilters} onClear={clear} />
          ) : (
            <FirstPayment publicUrl={publicUrl} mode={scope.mode} />
          )
        }
      />
    </WithPanel>
  );
}

/** The statuses in the order in which they are looked for. */
const STATUS_TABS = [
  'SUCCESS',
  'PENDING',
  'FAILED',
  'EXPIRED',
  'REFUNDED',
  'PARTLY_REFUNDED',
  'REVERSED',
  'INITIATED',
] as const satisfies readonly PaymentStatus[];

function totalOf(counts: ReturnType<typeof usePaymentCounts>, statuses: readonly PaymentStatus[]): ListCount | undefined {
  return statuses.length === 0 ? counts?.all : addCounts(statuses.map((status) => counts?.byStatus[status]));
}

const NO_FILTERS_IN_URL = {
  ...NO_FILTERS,
  status: [],
  gateway: [],
  method: [],
  reason: [],
  fallback: [],
  affected: [],
  outcome: [],
};

/** Shown when no payment matches the filters. */
function NothingFound({
  filters,
  onChange,
  onClear,
}: {
  filters: PaymentFilters;
  onChange: (change: FilterChange) => void;
  onClear: () => void;
}) {
  const { q } = filters;
  if (q.trim() !== '' && isFiltered({ ...filters, q: '' })) {
    return (
      <HiddenByFilters
        text={q}
        useRows={usePayments}
        alone={{ ...NO_FILTERS, q }}
        noun={['payment', 'payments']}
        onShow={() => onChange({ ...NO_FILTERS_IN_URL, q })}
        onClear={onClear}
      />
    );
  }
  return (
    <EmptyState title="No payments match these filters" action={<Button onClick={onClear}>Clear the filters</Button>}>
      Search finds payments by ID, order, gateway reference, transaction ID, and the customer's e-mail or ID. A phone number is
      found whole or by its last four digits or more, not by its beginning.
    </EmptyState>
  );
}
