'use client';

import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useState } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { wholeList } from '#/components/list/use-noun-list.ts';
import { Moment } from '#/components/time/moment.tsx';
import { ROADS, type SettlementAccount } from '#/copy/settlements.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCan } from '#/trpc/use-can.ts';
import { useBankMatching, useSettlementAccounts } from '../use-settlements.ts';
import type { MerchantMatching } from './account-dialogs.tsx';

const CalendarDialog = dynamic(() => import('./account-dialogs.tsx').then((module) => module.CalendarDialog));

/** Each account: how its settlements come, when one was last heard of, and when its money is expected. */
export function AccountsSection() {
  const accounts = useSettlementAccounts();
  const can = useCan();
  const scope = useScope();
  const [edited, setEdited] = useState<SettlementAccount | null>(null);
  return (
    <>
      <p className="max-w-[720px] mb-3.5 text-ink-quiet text-sm">
        Money is expected so many working days after a payment. Each account begins with what its gateway publishes; set what your
        agreement says.
      </p>
      <NounTable
        label="Accounts"
        name="settlement-accounts"
        list={accounts}
        columns={columnsOf(scope, (merchantId) => can('reconciliation:resolve', merchantId), setEdited)}
        rowKey={({ accountId }) => accountId}
        noun={['account', 'accounts']}
        empty={<EmptyState title="No gateway account">Connect an account, and its settlements are read from here on.</EmptyState>}
      />
      <BankMatchingSection />
      {edited !== null && <CalendarDialog account={edited} onClose={() => setEdited(null)} />}
    </>
  );
}

function columnsOf(
  scope: Scope,
  may: (merchantId: string) => boolean,
  onEdit: (account: SettlementAccount) => void,
): DataColumn<SettlementAccount>[] {
  return [
    {
      id: 'account',
      header: 'Account',
      fixed: true,
      card: 'main',
      sortable: 'ascending',
      sortValue: ({ accountLabel, merchantName }) => `${accountLabel} ${merchantName}`,
      account: (row) => row,
    },
    {
      id: 'gateway',
      header: 'Gateway',
      labelled: true,
      sortable: 'ascending',
      sortValue: ({ gatewayTitle }) => gatewayTitle,
      cell: ({ gatewayTitle }) => gatewayTitle,
    },
    {
      id: 'source',
      header: 'Source',
      labelled: true,
      cell: ({ accountId, merchantId, road }) => (
        <>
          <span title={ROADS[road].meaning}>{ROADS[road].word}</span>
          {road === 'FILE' && may(merchantId) && (
            <Link href={hrefIn(scope, '/settlements/files', { account: accountId })} className="block text-xs">
              Import a file
            </Link>
          )}
        </>
      ),
    },
    { id: 'heard', header: 'Last update', labelled: true, wraps: true, cell: (account) => <Heard account={account} /> },
    { id: 'days', header: 'Paid out after', labelled: true, cell: (account) => <WorkingDays account={account} /> },
    {
      id: 'tolerance',
      header: 'Tolerance',
      labelled: true,
      look: 'number',
      className: 'card:text-start',
      cell: ({ calendar }) => groupDecimal(calendar.tolerance),
    },
    {
      id: 'calendar',
      header: 'Calendar',
      labelled: true,
      cell: (account) =>
        may(account.merchantId) ? (
          <Button onClick={() => onEdit(account)} aria-label={`Change… the calendar of ${account.accountLabel}`}>
            Change…
          </Button>
        ) : null,
    },
  ];
}

const NOT_HEARD: Record<SettlementAccount['road'], string> = {
  POLLED: 'Not read yet',
  WEBHOOK: 'None announced yet: is the webhook address for settlements set at the gateway?',
  FILE: 'Never',
};

function Heard({ account: { road, heardAt, failure } }: { account: SettlementAccount }) {
  if (failure !== null) {
    return (
      <span title={failure}>
        <Badge tone="bad">Failed</Badge> <span className="text-ink-quiet">{failure}</span>
      </span>
    );
  }
  if (heardAt !== null) return <Moment value={heardAt} />;
  return <span className="text-ink-quiet">{NOT_HEARD[road]}</span>;
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

const BankMatchingDialog = dynamic(() => import('./account-dialogs.tsx').then((module) => module.BankMatchingDialog));

/** How near the money at the bank has to be to payouts, of each merchant. */
export function BankMatchingSection() {
  const query = useBankMatching();
  const matching = query.data;
  const can = useCan();
  const [edited, setEdited] = useState<MerchantMatching | null>(null);
  return (
    <section className="mt-8" aria-label="Bank matching">
      <h2 className="mb-2 text-base font-semibold">Bank matching</h2>
      <p className="max-w-[720px] mb-3.5 text-ink-quiet text-sm">
        How near the money on bank statements has to be to a payout whose reference the bank does not name.
      </p>
      <NounTable
        label="Bank matching"
        name="bank-matching"
        list={wholeList(query, matching?.merchants)}
        columns={matchingColumnsOf((merchantId) => can('reconciliation:resolve', merchantId), setEdited)}
        rowKey={({ merchantId }) => merchantId}
        noun={['merchant', 'merchants']}
        empty={null}
      />
      {edited !== null && matching !== undefined && (
        <BankMatchingDialog merchant={edited} defaults={matching.defaults} onClose={() => setEdited(null)} />
      )}
    </section>
  );
}

function matchingColumnsOf(
  may: (merchantId: string) => boolean,
  onEdit: (merchant: MerchantMatching) => void,
): DataColumn<MerchantMatching>[] {
  return [
    {
      id: 'merchant',
      header: 'Merchant',
      fixed: true,
      card: 'main',
      sortable: 'ascending',
      sortValue: ({ merchantName }) => merchantName.toLowerCase(),
      cell: ({ merchantName, isDefault }) => (
        <>
          <span className="font-medium">{merchantName}</span>
          <span className="block text-ink-quiet text-xs">{isDefault ? 'The defaults' : 'Set by staff'}</span>
        </>
      ),
    },
    {
      id: 'tolerance',
      header: 'Tolerance',
      labelled: true,
      look: 'number',
      className: 'card:text-start',
      cell: ({ tolerance }) => groupDecimal(tolerance),
    },
    { id: 'window', header: 'Match window', labelled: true, cell: ({ days }) => (days === 1 ? '1 day' : `${days} days`) },
    {
      id: 'missing',
      header: 'Missing after',
      labelled: true,
      cell: ({ workingDays }) => (workingDays === 1 ? '1 working day' : `${workingDays} working days`),
    },
    {
      id: 'change',
      header: 'Matching',
      labelled: true,
      cell: (merchant) =>
        may(merchant.merchantId) ? (
          <Button onClick={() => onEdit(merchant)} aria-label={`Change… the bank matching of ${merchant.merchantName}`}>
            Change…
          </Button>
        ) : null,
    },
  ];
}
