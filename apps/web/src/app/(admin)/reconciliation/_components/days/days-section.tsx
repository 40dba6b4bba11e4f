'use client';

import { IconAlertTriangle, IconCheck, IconClock, IconMinus, IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { DAYS_SHOWN, type ReconciliationChange, type ReconciliationFilters } from '#/app/(admin)/reconciliation/filters.ts';
import { serverNow } from '#/clock/server-clock.ts';
import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { ScrollArea } from '#/components/scroll-area/scroll-area.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { describeRun, type Run } from '#/copy/discrepancies.ts';
import { gatewayTitle } from '#/copy/gateways.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { addDays, formatDay, formatDayAndMonth, formatWeekday } from '#/format/calendar.ts';
import { dayOf } from '#/format/moments.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import type { Account, useReconciliation } from '../use-reconciliation.ts';
import classes from './day-grid.module.css';
import { signed } from './totals.ts';

/** The reconciled days by account, and the one chosen. */
export function DaysSection({
  found,
  filters,
  onChange,
}: {
  found: ReturnType<typeof useReconciliation>;
  filters: ReconciliationFilters;
  onChange: (change: ReconciliationChange) => void;
}) {
  const { account, day } = filters;
  const [last = ''] = found.days;
  const isLatest = last >= addDays(dayOf(serverNow()), -1);
  const choose = (chosenAccount: string, chosenDay: string) => {
    const isSame = account === chosenAccount && day === chosenDay;
    onChange(isSame ? { account: null, day: null } : { account: chosenAccount, day: chosenDay });
  };
  return (
    <>
      <div className="flex gap-2 mb-2">
        <Button onClick={() => onChange({ until: addDays(last, -DAYS_SHOWN) })}>Earlier days</Button>
        <Button disabled={isLatest} onClick={() => onChange({ until: addDays(last, DAYS_SHOWN) })}>
          Later days
        </Button>
      </div>
      <DayGrid days={found.days} accounts={found.accounts} runs={found.runs} chosen={{ account, day }} onChoose={choose} />
      <SelectedDay
        account={found.accounts.find(({ accountId }) => accountId === account)}
        day={day}
        run={found.runs.find((run) => run.accountId === account && run.day === day)}
        onClear={() => onChange({ account: null, day: null })}
        onAsked={found.refetch}
      />
    </>
  );
}

/** Accounts down, days across, the latest first; each cell shows how ledger and statement of that day compared. */
function DayGrid({
  days,
  accounts,
  runs,
  chosen,
  onChoose,
}: {
  days: readonly string[];
  accounts: readonly Account[];
  runs: readonly Run[];
  chosen: { readonly account: string; readonly day: string };
  onChoose: (accountId: string, day: string) => void;
}) {
  const byCell = new Map(runs.map((run) => [`${run.accountId} ${run.day}`, run]));
  const severalMerchants = new Set(accounts.map(({ merchantId }) => merchantId)).size > 1;
  return (
    <ScrollArea className="my-0 -mx-3 py-0 px-3" label="Days by account">
      <table className={classes.grid}>
        <thead>
          <tr>
            <th scope="col">Account</th>
            {days.map((day) => (
              <th key={day} scope="col" className={classes.day}>
                <span>{formatWeekday(day)}</span>
                {formatDayAndMonth(day)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {accounts.map((account) => (
            <tr key={account.accountId}>
              <th scope="row" className={classes.account}>
                {account.label}
                <span>{severalMerchants ? account.merchantName : gatewayTitle(account.gateway)}</span>
              </th>
              {days.map((day) => {
                const run = byCell.get(`${account.accountId} ${day}`);
                const words = describeRun(run);
                return (
                  <td key={day}>
                    <button
                      type="button"
                      className={classes.cell}
                      data-tone={toneOf(run)}
                      aria-pressed={chosen.account === account.accountId && chosen.day === day}
                      aria-label={`${account.label}, ${formatDay(day)}: ${words}`}
                      title={words}
                      onClick={() => onChoose(account.accountId, day)}
                    >
                      <Sign run={run} />
                    </button>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function toneOf(run: Run | undefined): string {
  if (run === undefined) return 'none';
  if (run.state === 'FAILED') return 'failed';
  if (run.state !== 'DONE') return 'wait';
  return run.open > 0 ? 'bad' : 'good';
}

function Sign({ run }: { run: Run | undefined }) {
  const shape = { size: 14, stroke: 2, 'aria-hidden': true } as const;
  switch (toneOf(run)) {
    case 'good':
      return <IconCheck {...shape} />;
    case 'bad':
      return run?.open.toLocaleString('en');
    case 'failed':
      return <IconAlertTriangle {...shape} />;
    case 'wait':
      return <IconClock {...shape} />;
    default:
      return <IconMinus {...shape} />;
  }
}

/** The day chosen in the grid: its status, the totals of ledger and statement, and an action to compare it now. */
function SelectedDay({
  account,
  day,
  run,
  onClear,
  onAsked,
}: {
  account: Account | undefined;
  day: string;
  run: Run | undefined;
  onClear: () => void;
  onAsked: () => void;
}) {
  const trpc = useTRPC();
  const can = useCan();
  const ask = useMutation(trpc.reconciliation.runNow.mutationOptions({ onSuccess: onAsked }));
  if (account === undefined || day === '') return null;
  const { merchantId, accountId } = account;
  const isRunning = run?.state === 'QUEUED' || run?.state === 'RUNNING';
  return (
    <section
      className="grid gap-2 mt-4 pt-3 pb-4 [border-block:1px_solid_var(--line)]"
      aria-label={`${account.label}, ${formatDay(day)}`}
    >
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="flex-1 min-w-[160px] text-lg font-semibold">
          {account.label}, {formatDay(day)}
        </h2>
        {can('reconciliation:resolve', merchantId) && (
          <Button loading={ask.isPending || isRunning} onClick={() => ask.mutate({ merchantId, accountId, day })}>
            {run?.comparedAt == null ? 'Compare now' : 'Compare again'}
          </Button>
        )}
        <button
          type="button"
          className="grid place-items-center w-9 h-9 rounded-lg text-ink-quiet hover:bg-ground-hover"
          onClick={onClear}
          aria-label="Show all days"
          title="Show all days"
        >
          <IconX size={18} stroke={1.7} aria-hidden="true" />
        </button>
      </div>
      <p className="text-ink-quiet text-sm" role="status">
        {describeRun(run)}
        {run?.comparedAt != null && !isRunning && (
          <>
            {' · compared '}
            <Moment value={run.comparedAt} />
          </>
        )}
      </p>
      {run?.state === 'RUNNING' && (
        <progress className="w-full h-1 accent-accent" aria-label="Fetching the gateway’s statement" />
      )}
      {run?.failure != null && <p className="text-bad-ink text-sm wrap-anywhere">{run.failure} It is retried automatically.</p>}
      <Refusal message={ask.error?.message ?? null} />
      {run?.totals.map((sums) => (
        <dl key={sums.currency} className="flex flex-wrap gap-x-8 gap-y-3 mt-1">
          <Sum
            name={`Ledger, ${sums.currency}`}
            amount={formatDecimal(sums.currency, sums.ledger.amount)}
            count={sums.ledger.count}
          />
          <Sum
            name={gatewayTitle(account.gateway)}
            amount={formatDecimal(sums.currency, sums.statement.amount)}
            count={sums.statement.count}
          />
          <Sum name="Difference" amount={signed(sums.currency, sums.statement.amount, sums.ledger.amount)} />
          <Sum name="Fees" amount={formatDecimal(sums.currency, sums.fees)} />
          <Sum
            name="Refunded, ledger"
            amount={formatDecimal(sums.currency, sums.ledgerRefunded.amount)}
            count={sums.ledgerRefunded.count}
          />
          <Sum
            name="Refunded, statement"
            amount={formatDecimal(sums.currency, sums.statementRefunded.amount)}
            count={sums.statementRefunded.count}
          />
        </dl>
      ))}
      {run?.comparedAt != null && run.totals.length === 0 && (
        <p className="text-ink-quiet text-sm">No money moved on this day.</p>
      )}
    </section>
  );
}

function Sum({ name, amount, count }: { name: string; amount: string; count?: number }) {
  return (
    <div>
      <dt className="text-ink-faint text-xs">{name}</dt>
      <dd className="text-lg font-medium tabular-nums">
        {amount}
        {count !== undefined && <span className="ml-1.5 text-ink-faint text-xs font-normal">{count.toLocaleString('en')}×</span>}
      </dd>
    </div>
  );
}
