'use client';

import { IconAlertTriangle, IconCheck, IconClock, IconMinus } from '@tabler/icons-react';
import { ScrollArea } from '#/components/scroll-area/scroll-area.tsx';
import { describeRun, type Run } from '#/copy/discrepancies.ts';
import { gatewayTitle } from '#/copy/gateways.ts';
import { formatDay, formatDayAndMonth, formatWeekday } from '#/format/calendar.ts';
import type { Account } from '../use-reconciliation.ts';
import classes from './day-grid.module.css';

/** Accounts down, days across, the latest first; each cell shows how ledger and statement of that day compared. */
export function DayGrid({
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
