'use client';

import Link from 'next/link';
import { type ReactNode, useMemo } from 'react';
import { ListFailed, PaymentsSkeleton } from '#/app/(admin)/payments/_components/list/payments-skeleton.tsx';
import { Badge } from '#/components/badge/badge.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { CheckboxGroup } from '#/components/field/field.tsx';
import { FilterBar, FilterMenu, filterClass, PeriodFilter } from '#/components/filter-bar/filter-bar.tsx';
import { describePeriod } from '#/components/filter-bar/period.ts';
import { ListEnd } from '#/components/list/list-end.tsx';
import type { Pages } from '#/components/list/use-pages.ts';
import { useNow } from '#/components/time/now.tsx';
import { describeExplained, SETTLEMENT_LABELS, SETTLEMENT_STATES, type Settlement } from '#/copy/settlements.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { addDecimals } from '#/format/decimals.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { isFiltered, NO_FILTERS, type SettlementsChange, type SettlementsFilters, toSettlementFilter } from '../filters.ts';
import { AccountFilter } from './account-filter.tsx';
import classes from './explained.module.css';
import { useExplained, useSettlementAccounts, useSettlements } from './use-settlements.ts';

const STATUS_CHOICES = SETTLEMENT_STATES.map((value) => ({ value, label: SETTLEMENT_LABELS[value].word }));

/** The list of settlements below what is explained of them. */
export function SettlementsSection({
  filters,
  onChange,
}: {
  filters: SettlementsFilters;
  onChange: (change: SettlementsChange) => void;
}) {
  const list = useSettlements(filters);
  const money = useExplained(filters);
  const scope = useScope();
  const now = useNow();
  const { status, from, to, unexplained } = filters;
  if (list.state === 'loading') return <PaymentsSkeleton />;
  if (list.state === 'failed') return <ListFailed message={list.error?.message ?? ''} onRetry={list.refetch} />;
  return (
    <>
      {money !== undefined && <Explained money={money} onUnexplained={() => onChange({ unexplained: true })} />}
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <FilterBar onClear={isFiltered(filters) ? () => onChange(NO_FILTERS) : null}>
          <AccountFilter chosen={filters.account} onChange={onChange} />
          <FilterMenu label="Status" value={status.map((each) => SETTLEMENT_LABELS[each].word).join(', ')}>
            <CheckboxGroup
              label="Status"
              choices={STATUS_CHOICES}
              values={[...status]}
              onChange={(next) => onChange({ status: next })}
            />
          </FilterMenu>
          <FilterMenu label="Paid out" value={describePeriod(from, to)}>
            <PeriodFilter from={from} to={to} onChange={onChange} />
          </FilterMenu>
          <button
            type="button"
            className={filterClass}
            aria-pressed={unexplained}
            data-set={unexplained}
            onClick={() => onChange({ unexplained: !unexplained })}
          >
            Unexplained only
          </button>
        </FilterBar>
        <ExportButton list="settlements" filter={toSettlementFilter(scope, filters, now)} />
      </div>
      {list.rows.length === 0 ? <NoSettlements filtered={isFiltered(filters)} /> : <SettlementsTable list={list} />}
    </>
  );
}

function NoSettlements({ filtered }: { filtered: boolean }) {
  const scope = useScope();
  const polled = useSettlementAccounts().some(({ road }) => road === 'POLLED');
  if (filtered) return <EmptyState title="No settlements match these filters">Clear a filter to see more.</EmptyState>;
  return (
    <EmptyState
      title="No settlements yet"
      action={<Link href={hrefIn(scope, '/settlements', { view: 'accounts' })}>See when each account is paid out</Link>}
    >
      {polled
        ? 'Gateways pay out on the working day after a payment, as a rule. Each payout is read from the gateway and compared with your payments, refunds and disputes.'
        : 'None of these accounts is at a gateway that lists its settlements. Paystack and Flutterwave do.'}
    </EmptyState>
  );
}

type Money = RouterOutputs['settlements']['explained'][number];

/** The share of settled money that is matched to the kobo, and what has not come yet; a line for each currency. */
function Explained({ money, onUnexplained }: { money: readonly Money[]; onUnexplained: () => void }) {
  return (
    <div className="grid gap-3 mb-5">
      {money.map((one) => (
        <Currency key={one.currency} money={one} onUnexplained={onUnexplained} />
      ))}
    </div>
  );
}

function Currency({ money, onUnexplained }: { money: Money; onUnexplained: () => void }) {
  const scope = useScope();
  const { currency, explained, unexplained, share, settled, onTheWay, late, missing } = money;
  const figure = (amount: string) => formatMoney(currency, amount);
  const openAmounts = (kind: string) => hrefIn(scope, '/settlements', { view: 'discrepancies', kind });
  return (
    <section className={classes.currency} aria-label={`Settled money, ${currency}`}>
      <dl className={classes.figures}>
        <div className={classes.headline}>
          <dt>Explained</dt>
          <dd>{describeExplained(share)}</dd>
          <dd className={classes.detail}>
            {share === null
              ? 'Nothing was settled yet'
              : `${figure(explained)} of ${figure(addDecimals([explained, unexplained]))} in lines`}
          </dd>
        </div>
        <Figure name="Unexplained" amount={figure(unexplained)} alarm={unexplained !== '0'}>
          {unexplained !== '0' && (
            <button type="button" className={classes.more} onClick={onUnexplained}>
              Show settlements
            </button>
          )}
        </Figure>
        <Figure name="Settled, net" amount={figure(settled)} />
        <Figure name="On the way" amount={figure(onTheWay)} />
        <Figure name="Late" amount={figure(late)} alarm={late !== '0'}>
          {late !== '0' && <Link href={openAmounts('LATE')}>Show late</Link>}
        </Figure>
        <Figure name="Missing" amount={figure(missing)} alarm={missing !== '0'}>
          {missing !== '0' && <Link href={openAmounts('MISSING')}>Show missing</Link>}
        </Figure>
      </dl>
    </section>
  );
}

function Figure({
  name,
  amount,
  alarm = false,
  children,
}: {
  name: string;
  amount: string;
  alarm?: boolean;
  children?: ReactNode;
}) {
  return (
    <div data-alarm={alarm}>
      <dt>{name}</dt>
      <dd>{amount}</dd>
      {children !== undefined && children !== false && <dd className={classes.detail}>{children}</dd>}
    </div>
  );
}

/** Settlements, those without a day of payout first, then the newest. */
function SettlementsTable({ list }: { list: Pages<Settlement> }) {
  const scope = useScope();
  const columns = useMemo(() => columnsFor(scope), [scope]);
  return (
    <>
      <DataTable
        label="Settlements"
        name="settlements"
        columns={columns}
        rows={list.rows}
        rowKey={(row) => row.settlementId}
        onNearEnd={list.more}
      />
      <ListEnd
        loaded={list.rows.length}
        noun={['settlement', 'settlements']}
        hasMore={list.hasMore}
        loadingMore={list.loadingMore}
        onMore={list.more}
      />
    </>
  );
}

const NUMBER = 'tabular-nums text-end';

function columnsFor(scope: Scope): DataColumn<Settlement>[] {
  const withMerchants = scope.merchantId === null;
  return [
    {
      id: 'day',
      header: 'Paid out',
      fixed: true,
      className: 'card:area-main card:text-base',
      cell: (row) => (
        <Link href={hrefIn(scope, `/settlements/${row.settlementId}`)} prefetch={false} className="row-link font-medium">
          {row.settledOn === null ? 'Not yet' : formatDay(row.settledOn)}
        </Link>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      className: 'card:area-second',
      cell: ({ status }) => <Badge tone={SETTLEMENT_LABELS[status].tone}>{SETTLEMENT_LABELS[status].word}</Badge>,
    },
    {
      id: 'account',
      header: 'Account',
      className: '@max-[640px]/room:hidden',
      cell: (row) => (withMerchants ? `${row.accountLabel} · ${row.merchantName}` : row.accountLabel),
    },
    {
      id: 'reference',
      header: 'Reference',
      className: 'font-mono text-xs th:[font-family:inherit] td:text-ink-quiet @max-[1320px]/room:hidden',
      cell: ({ reference }) => reference,
    },
    { id: 'gross', header: 'Payments', className: `${NUMBER} @max-[900px]/room:hidden`, cell: grossCell },
    {
      id: 'fees',
      header: 'Fees',
      className: `${NUMBER} @max-[900px]/room:hidden td:text-ink-quiet`,
      cell: ({ currency, fees }) => takenOff(currency, fees),
    },
    {
      id: 'deductions',
      header: 'Deductions',
      className: `${NUMBER} @max-[1060px]/room:hidden td:text-ink-quiet`,
      cell: ({ currency, deductions }) => takenOff(currency, deductions),
    },
    {
      id: 'net',
      header: 'Net',
      className: `${NUMBER} card:area-aside font-medium`,
      cell: ({ currency, net }) => formatMoney(currency, net),
    },
    { id: 'unexplained', header: 'Unexplained', className: `${NUMBER} card:area-third`, cell: unexplainedCell },
    {
      id: 'open',
      header: 'Open',
      className: `${NUMBER} @max-[720px]/room:hidden`,
      cell: (row) =>
        row.openDiscrepancies === 0 ? (
          <span className="text-ink-faint">0</span>
        ) : (
          <Link
            href={hrefIn(scope, '/settlements', { view: 'discrepancies', settlement: row.settlementId })}
            aria-label={`${row.openDiscrepancies} open discrepancies of ${row.reference}`}
          >
            {row.openDiscrepancies.toLocaleString('en')}
          </Link>
        ),
    },
  ];
}

function grossCell({ currency, gross }: Settlement) {
  return formatDecimal(currency, gross);
}

/** Amounts that are taken off are written with a minus. */
function takenOff(currency: string, amount: string): string {
  return formatDecimal(currency, amount === '0' || amount.startsWith('-') ? amount.replace('-', '') : `-${amount}`);
}

function unexplainedCell({ status, lineCount, currency, unexplained }: Settlement) {
  if (status !== 'PAID' || lineCount === 0) return <span className="card:hidden text-ink-faint">–</span>;
  if (unexplained === '0') return <span className="card:hidden text-ink-quiet">{formatDecimal(currency, '0')}</span>;
  return (
    <span className="text-bad-ink font-medium card:before:font-normal card:before:content-['Unexplained_']">
      {formatDecimal(currency, unexplained)}
    </span>
  );
}
