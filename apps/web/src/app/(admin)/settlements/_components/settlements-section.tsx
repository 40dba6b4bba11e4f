'use client';

import Link from 'next/link';
import { type ReactNode, useMemo } from 'react';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { CheckboxGroup } from '#/components/field/field.tsx';
import { FilterBar, FilterMenu, filterClass, PeriodFilter } from '#/components/filter-bar/filter-bar.tsx';
import { describePeriod } from '#/components/filter-bar/period.ts';
import { HiddenByFilters, NothingListed } from '#/components/list/nothing-listed.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { SearchField } from '#/components/search-field/search-field.tsx';
import { useNow } from '#/components/time/now.tsx';
import { describeExplained, SETTLEMENT_LABELS, SETTLEMENT_STATES, type Settlement } from '#/copy/settlements.ts';
import { addDecimals, formatDecimal, formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
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
  const columns = useMemo(() => columnsFor(scope), [scope]);
  const { status, from, to, unexplained } = filters;
  const clear = isFiltered(filters) ? () => onChange(NO_FILTERS) : null;
  return (
    <>
      {money !== undefined && (
        <Explained money={money} accountIds={filters.account} onUnexplained={() => onChange({ unexplained: true })} />
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <FilterBar onClear={clear}>
          <SearchField
            label="Search settlements"
            placeholder="ID, reference, transaction"
            value={filters.q}
            onSearch={(q) => onChange({ q: q === '' ? null : q })}
          />
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
      <NounTable
        label="Settlements"
        name="settlements"
        list={list}
        columns={columns}
        rowKey={(row) => row.settlementId}
        noun={['settlement', 'settlements']}
        empty={
          clear !== null && isHiding(filters) ? (
            <HiddenByFilters
              text={filters.q}
              useRows={useSettlements}
              alone={{ ...filters, account: [], status: [], from: '', to: '', unexplained: false }}
              noun={['settlement', 'settlements']}
              onShow={() => onChange({ ...NO_FILTERS, q: filters.q })}
              onClear={clear}
            />
          ) : (
            <NoSettlements onClear={clear} />
          )
        }
      />
    </>
  );
}

/** True if filters may hide what a search finds. */
function isHiding(filters: SettlementsFilters): boolean {
  return filters.q.trim() !== '' && isFiltered({ ...filters, q: '' });
}

function NoSettlements({ onClear }: { onClear: (() => void) | null }) {
  const scope = useScope();
  const polled = useSettlementAccounts().rows.some(({ road }) => road === 'POLLED');
  return (
    <NothingListed
      nouns="settlements"
      onClear={onClear}
      action={<Link href={hrefIn(scope, '/settlements', { view: 'accounts' })}>See when each account is paid out</Link>}
    >
      {polled
        ? 'Gateways pay out on the working day after a payment, as a rule. Each payout is read from the gateway and compared with your payments, refunds and disputes.'
        : 'None of these accounts is at a gateway that lists its settlements: those of the others come by webhook or in files.'}
    </NothingListed>
  );
}

type Money = RouterOutputs['settlements']['explained'][number];

/** The share of settled money that is matched to the kobo, and what has not come yet; a line for each currency. */
function Explained({
  money,
  accountIds,
  onUnexplained,
}: {
  money: readonly Money[];
  accountIds: readonly string[];
  onUnexplained: () => void;
}) {
  return (
    <div className="grid gap-3 mb-5">
      {money.map((one) => (
        <Currency key={one.currency} money={one} accountIds={accountIds} onUnexplained={onUnexplained} />
      ))}
    </div>
  );
}

function Currency({
  money,
  accountIds,
  onUnexplained,
}: {
  money: Money;
  /** The accounts that it is of; empty for all. */
  accountIds: readonly string[];
  onUnexplained: () => void;
}) {
  const scope = useScope();
  const { currency, explained, unexplained, unmatched, share, settled, onTheWay, late, missing } = money;
  const figure = (amount: string) => formatMoney(currency, amount);
  const account = accountIds.length === 0 ? null : accountIds.join(',');
  const openAmounts = (kind: string) => hrefIn(scope, '/settlements', { view: 'discrepancies', kind, account });
  return (
    <section className="py-3.5 px-4 border border-line rounded-xl" aria-label={`Settled money, ${currency}`}>
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
        <Figure name="Unexplained" amount={figure(unmatched)} alarm={unexplained !== '0'}>
          {unexplained !== '0' && (
            <button type="button" className="min-h-6 text-accent-ink underline underline-offset-3" onClick={onUnexplained}>
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
function columnsFor(scope: Scope): DataColumn<Settlement>[] {
  return [
    {
      id: 'day',
      header: 'Paid out',
      fixed: true,
      card: 'main',
      cell: (row) => (
        <Link href={hrefIn(scope, `/settlements/${row.settlementId}`)} prefetch={false} className="row-link font-medium">
          {row.settledOn === null ? 'Not yet' : formatDay(row.settledOn)}
        </Link>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      card: 'second',
      badge: ({ status }) => SETTLEMENT_LABELS[status],
    },
    {
      id: 'account',
      header: 'Account',
      priority: 2,
      account: (row) => row,
    },
    {
      id: 'reference',
      header: 'Reference',
      look: 'id',
      priority: 6,
      cell: ({ reference }) => reference,
    },
    { id: 'gross', header: 'Payments', look: 'number', priority: 4, cell: grossCell },
    {
      id: 'fees',
      header: 'Fees',
      look: 'number',
      priority: 4,
      className: 'td:text-ink-quiet',
      cell: ({ currency, fees }) => takenOff(currency, fees),
    },
    {
      id: 'deductions',
      header: 'Deductions',
      look: 'number',
      priority: 5,
      className: 'td:text-ink-quiet',
      cell: ({ currency, deductions }) => takenOff(currency, deductions),
    },
    {
      id: 'net',
      header: 'Net',
      card: 'aside',
      className: 'font-medium',
      money: ({ currency, net: amount }) => ({ currency, amount }),
    },
    { id: 'unexplained', header: 'Unexplained', look: 'number', card: 'third', cell: unexplainedCell },
    {
      id: 'open',
      header: 'Open',
      look: 'number',
      priority: 3,
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

function unexplainedCell({ status, lineCount, currency, unexplained, unmatched }: Settlement) {
  if (status !== 'PAID' || lineCount === 0) return <span className="card:hidden text-ink-faint">–</span>;
  if (unexplained === '0') return <span className="card:hidden text-ink-quiet">{formatDecimal(currency, '0')}</span>;
  return (
    <span className="text-bad-ink font-medium card:before:font-normal card:before:content-['Unexplained_']">
      {formatDecimal(currency, unmatched)}
    </span>
  );
}
