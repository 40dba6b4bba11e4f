'use client';

import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useState } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { ROADS, type SettlementAccount } from '#/copy/settlements.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCan } from '#/trpc/use-can.ts';
import { useSettlementAccounts } from '../use-settlements.ts';
import { BankMatchingSection } from './bank-matching-section.tsx';

const CalendarDialog = dynamic(() => import('./calendar-dialog.tsx').then((module) => module.CalendarDialog));

const COLUMNS = ['Account', 'Gateway', 'Source', 'Last update', 'Paid out after', 'Tolerance', 'Calendar'].map((title) => ({
  title,
}));

/** Each account: how its settlements come, when one was last heard of, and when its money is expected. */
export function AccountsSection() {
  const accounts = useSettlementAccounts();
  const can = useCan();
  const scope = useScope();
  const [edited, setEdited] = useState<SettlementAccount | null>(null);
  if (accounts.length === 0) {
    return <EmptyState title="No gateway account">Connect an account, and its settlements are read from here on.</EmptyState>;
  }
  return (
    <>
      <p className="max-w-[720px] mb-3.5 text-ink-quiet text-sm">
        Money is expected so many working days after a payment. Each account begins with what its gateway publishes; set what your
        agreement says.
      </p>
      <PlainTable label="Accounts" columns={COLUMNS}>
        <tbody {...roles.group}>
          {accounts.map((account) => (
            <tr key={account.accountId} {...roles.row}>
              <td {...textCell('Account')}>
                {account.accountLabel} <span className="text-ink-quiet">· {account.merchantName}</span>
              </td>
              <td {...textCell('Gateway')}>{account.gatewayTitle}</td>
              <td {...textCell('Source')}>
                <span title={ROADS[account.road].meaning}>{ROADS[account.road].word}</span>
                {account.road === 'FILE' && can('reconciliation:resolve', account.merchantId) && (
                  <Link href={hrefIn(scope, '/settlements/files', { account: account.accountId })} className="block text-xs">
                    Import a file
                  </Link>
                )}
              </td>
              <td {...textCell('Last update')}>
                <Heard account={account} />
              </td>
              <td {...textCell('Paid out after')}>
                <WorkingDays account={account} />
              </td>
              <td {...textCell('Tolerance')}>{groupDecimal(account.calendar.tolerance)}</td>
              <td {...textCell('Calendar')}>
                {can('reconciliation:resolve', account.merchantId) && (
                  <Button onClick={() => setEdited(account)} aria-label={`Change… the calendar of ${account.accountLabel}`}>
                    Change…
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
      <BankMatchingSection />
      {edited !== null && <CalendarDialog account={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

function Heard({ account: { road, heardAt, failure } }: { account: SettlementAccount }) {
  if (failure !== null) {
    return (
      <span title={failure}>
        <Badge tone="bad">Failed</Badge> <span className="text-ink-quiet">{failure}</span>
      </span>
    );
  }
  if (heardAt !== null) return <Moment value={heardAt} />;
  return <span className="text-ink-quiet">{road === 'POLLED' ? 'Not read yet' : 'Never'}</span>;
}

function WorkingDays({ account: { calendar } }: { account: SettlementAccount }) {
  const { workingDays, holidays, isDefault, publishedSource } = calendar;
  const days = workingDays === 1 ? '1 working day' : `${workingDays} working days`;
  const holidayCount = holidays.length === 1 ? '1 holiday' : `${holidays.length} holidays`;
  return (
    <>
      {days}
      <span className="block text-ink-quiet text-xs">
        {!isDefault && `Set by staff${holidays.length > 0 ? `, ${holidayCount}` : ''}`}
        {isDefault && publishedSource === null && 'Assumed: the gateway names no day'}
        {isDefault && publishedSource !== null && (
          <a href={publishedSource} target="_blank" rel="noreferrer">
            As the gateway publishes
          </a>
        )}
      </span>
    </>
  );
}
