'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { Button } from '#/components/button/button.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { saveFile } from '#/components/export-button/download.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { Freshness } from '#/components/time/freshness.tsx';
import { useNow } from '#/components/time/now.tsx';
import { describeMonth } from '#/format/calendar.ts';
import { csvFile } from '#/format/csv.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCanHere } from '#/trpc/use-can.ts';
import { type Measure, type PaymentDate, reportKey, reportParsers, shownDays, toVariables } from '../filters.ts';
import { currencyOf, queryGraphql, useCurrencies } from '../query-graphql.ts';
import { COLUMNS, endsUnfinished, fileName, filledRows, groupTitle, hasGapBefore, type Report, toCsv } from '../report.ts';
import { compare, figureOf } from './figures.ts';
import { ReportChart } from './report-chart.tsx';
import { GROUP_LABELS, ReportFilterBar } from './report-filters.tsx';
import { ReportTable } from './report-table.tsx';

const MEASURES: readonly { readonly value: Measure; readonly label: string }[] = [
  { value: 'volume', label: 'Volume' },
  { value: 'conversion', label: 'Success rate' },
  { value: 'fees', label: 'Fees' },
  { value: 'refunds', label: 'Refunds' },
  { value: 'net', label: 'Net' },
];

const ABOUT: Readonly<Record<Measure, string>> = {
  volume: 'Amount paid.',
  conversion: 'Share of completed payments that were paid.',
  fees: 'Fees charged by gateways, where they report them.',
  refunds: 'Amount refunded of these payments.',
  net: 'Amount paid, less refunds and fees.',
};

const BY: Readonly<Record<PaymentDate, string>> = {
  created: 'Days are when payments were created.',
  paid: 'Days are when payments were paid.',
  settled: 'Days are when payments were paid out; payments without a payout are in none.',
};

/** Sums of payments over time and by dimension. The URL holds the report's parameters. */
export function ReportsPage({ operation }: { operation: string }) {
  const [filters, setFilters] = useQueryStates(reportParsers);
  const scope = useScope();
  const mayExport = useCanHere()('report:export');
  const now = useNow();
  const days = shownDays(filters, now);
  const currencies = useCurrencies(toVariables(scope, filters, days).filter);
  const currency = currencyOf(filters.currency, currencies);
  const { data, error, dataUpdatedAt, isFetching, isPlaceholderData, refetch } = useReport(
    operation,
    toVariables(scope, { ...filters, currency }, days),
  );
  const { measure, by, date } = filters;
  const rows = data === undefined ? [] : filledRows(data, by, now);
  const column = COLUMNS[measure].at(-1);

  function save() {
    if (data === undefined) return;
    const text = toCsv(data, rows, { group: by, measure });
    saveFile(csvFile(text), fileName(measure, by, date, days));
  }

  return (
    <>
      <PageHead title="Reports">
        {mayExport && (
          <Link href={hrefIn(scope, '/reports/scheduled')} className="py-1.5 px-0.5 text-sm">
            Scheduled reports
          </Link>
        )}
        <Button onClick={save} disabled={data === undefined || isPlaceholderData}>
          Export CSV
        </Button>
        <Freshness updatedAt={dataUpdatedAt} fetching={isFetching} onRefresh={() => void refetch()} />
      </PageHead>
      <ReportFilterBar
        filters={filters}
        days={days}
        currencies={currencies}
        currency={currency}
        onChange={(changed) => void setFilters(changed)}
      />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 mb-4">
        <SegmentedControl
          label="Measure"
          choices={MEASURES}
          value={measure}
          onChange={(next) => void setFilters({ measure: next }, { history: 'push' })}
        />
        <p className="text-ink-quiet text-sm">{`${ABOUT[measure]} ${BY[date]}`}</p>
      </div>
      <Refusal message={error === null ? null : error.message} />
      {data === undefined && error === null && (
        <div className="h-[420px] rounded-xl bg-ground-quiet" role="status" aria-label="Loading the report" />
      )}
      {data !== undefined && <ClosedMonths months={data.closedMonths} />}
      {data !== undefined && data.total.payments === 0 && !isPlaceholderData && (
        <EmptyState
          title="No payments in these days"
          action={
            <Button onClick={() => void setFilters({ period: 'year', from: null, to: null, asof: null })}>Show this year</Button>
          }
        >
          A report counts payments of its days, in {scope.mode} mode. {BY[date]} Choose a longer period, or the other mode above.
        </EmptyState>
      )}
      {data !== undefined && data.total.payments > 0 && column !== undefined && (
        <div className="data-[stale=true]:opacity-60" data-stale={isPlaceholderData} aria-busy={isPlaceholderData}>
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1 mb-2">
            <span className="text-[24px] font-semibold tabular-nums">
              {column.kind === 'money' && `${data.currency} `}
              {figureOf(column, data.currency, data.total)}
            </span>
            <span className="text-ink-quiet text-sm">
              {hasGapBefore(rows, by)
                ? 'Not compared: the previous period has gaps'
                : compare(column, data.currency, data.total, data.previousTotal)}
            </span>
          </p>
          <ReportChart
            rows={rows}
            group={by}
            measure={measure}
            currency={data.currency}
            isUnfinished={endsUnfinished(data, rows, by, now)}
          />
          <ReportTable
            report={data}
            rows={rows}
            group={by}
            measure={measure}
            scope={scope}
            groupTitle={groupTitle(by, GROUP_LABELS[by], date)}
          />
          {data.asOf !== null && (
            <p className="text-ink-quiet text-sm">
              As payments stood at that moment. The lists behind the numbers show them as they are now.
            </p>
          )}
        </div>
      )}
    </>
  );
}

const NAMED = 6;

/** Says that a report has closed months in it, whose figures here go on changing. */
function ClosedMonths({ months }: { months: Report['closedMonths'] }) {
  const scope = useScope();
  if (months.length === 0) return null;
  const named = months.slice(0, NAMED);
  return (
    <p className="mb-4 max-w-[90ch] text-sm text-ink-quiet">
      Closed:{' '}
      {named.map(({ month, merchant }, at) => (
        <span key={`${month} ${merchant?.id}`}>
          {at > 0 && ', '}
          <Link href={hrefIn({ ...scope, merchantId: merchant?.id ?? scope.merchantId }, `/month-close/${month}`)}>
            {describeMonth(month)}
            {scope.merchantId === null && merchant !== null && ` of ${merchant.name}`}
          </Link>
        </span>
      ))}
      {months.length > named.length && ` and ${months.length - named.length} more`}. This report has what is known now, which
      changes when something arrives late; the frozen figures of a closed month do not.
    </p>
  );
}

/** Loaded along with the first report, because it brings a library that rendering does not need. */
const loadReader = () => import('./read-report-response.ts');

/** A report, requested by the hash of its query, like by any program with a token. */
export function useReport(operation: string, variables: ReturnType<typeof toVariables>) {
  return useQuery({
    queryKey: reportKey(operation, variables),
    queryFn: ({ signal }) => ask(operation, variables, signal),
    // The previous report stays while the next one loads, unless it is grouped differently.
    placeholderData: (before, query) => (query?.queryKey[2].groupBy[0] === variables.groupBy[0] ? before : undefined),
    staleTime: 30_000,
  });
}

async function ask(operation: string, variables: object, signal: AbortSignal): Promise<Report> {
  const reader = loadReader();
  const request = { extensions: { persistedQuery: { version: 1, sha256Hash: operation } }, variables };
  const body = await queryGraphql(request, signal);
  return (await reader).readReportResponse(body);
}
