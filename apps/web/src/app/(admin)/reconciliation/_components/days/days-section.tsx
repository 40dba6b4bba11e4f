'use client';

import { DAYS_SHOWN, type ReconciliationChange, type ReconciliationFilters } from '#/app/(admin)/reconciliation/filters.ts';
import { Button } from '#/components/button/button.tsx';
import { addDays } from '#/format/calendar.ts';
import { dayOf } from '#/format/moments.ts';
import type { useReconciliation } from '../use-reconciliation.ts';
import { DayGrid } from './day-grid.tsx';
import { SelectedDay } from './selected-day.tsx';

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
  const isLatest = last >= addDays(dayOf(Date.now()), -1);
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
