'use client';

import { IconX } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { describeRun, type Run } from '#/copy/discrepancies.ts';
import { gatewayTitle } from '#/copy/gateways.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import type { Account } from '../use-reconciliation.ts';
import classes from './selected-day.module.css';
import { signed } from './totals.ts';

/** The day chosen in the grid: its status, the totals of ledger and statement, and an action to compare it now. */
export function SelectedDay({
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
        <dl key={sums.currency} className={classes.sums}>
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
      <dt>{name}</dt>
      <dd>
        {amount}
        {count !== undefined && <span>{count.toLocaleString('en')}×</span>}
      </dd>
    </div>
  );
}
