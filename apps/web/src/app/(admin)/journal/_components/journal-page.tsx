'use client';

import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { Fragment, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { ChooseMerchant } from '#/components/choose-merchant/choose-merchant.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { FilterBar, FilterMenu, PeriodFilter } from '#/components/filter-bar/filter-bar.tsx';
import { describePeriod } from '#/components/filter-bar/period.ts';
import { roles } from '#/components/list/table-roles.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { useNow } from '#/components/time/now.tsx';
import {
  type AccountingSetting,
  type BookAccount,
  describePosting,
  type JournalSummary,
  POSTING_MEANINGS,
} from '#/copy/accounting.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { describeMonth } from '#/format/calendar.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { periodParsers, toPeriod } from '../period.ts';
import { DownloadForm } from './download-form.tsx';

const MappingDialog = dynamic(() => import('./mapping-dialog.tsx').then((module) => module.MappingDialog));

/** Journal entries for accounting software: what they post, the accounts they post to, and the files. */
export function JournalPage() {
  const { merchantId, mode } = useScope();
  if (merchantId === null) {
    return (
      <>
        <PageHead title="Journal" />
        <ChooseMerchant path="/journal" why="A journal is of one merchant’s books." />
      </>
    );
  }
  return <JournalOf key={`${merchantId} ${mode}`} merchantId={merchantId} />;
}

function JournalOf({ merchantId }: { merchantId: string }) {
  const trpc = useTRPC();
  const scope = useScope();
  const { mode } = scope;
  const can = useCan();
  const now = useNow();
  const [period, setPeriod] = useQueryStates(periodParsers);
  const [isEditing, setIsEditing] = useState(false);
  const days = toPeriod(period, now);
  const queries = useQueryClient();
  const { data: closed = [] } = useQuery(trpc.monthClose.closedIn.queryOptions({ merchantIds: [merchantId], mode, ...days }));
  const { data: setting } = useQuery(trpc.journal.setting.queryOptions({ merchantId, mode }));
  const { data: summaries, error } = useQuery(
    trpc.journal.summary.queryOptions({ merchantId, mode, ...days }, { placeholderData: keepPreviousData }),
  );
  if (setting === undefined) return <PageHead title="Journal" />;
  return (
    <>
      <PageHead title="Journal">
        {can('accounting:configure', merchantId) && <Button onClick={() => setIsEditing(true)}>Account mapping…</Button>}
      </PageHead>
      <p className="max-w-[90ch] -mt-2 mb-4 text-ink-quiet">
        Double entries for QuickBooks Online, Xero and Sage 50: one for each day and gateway account, in days of{' '}
        {setting.timeZone.replaceAll('_', ' ')}. They are made from what is stored now; those of a closed month from what was
        frozen.
      </p>
      {closed.length > 0 && (
        <p className="max-w-[90ch] mb-4 text-sm text-ink-quiet">
          Closed:{' '}
          {closed.map(({ month }, at) => (
            <Fragment key={month}>
              {at > 0 && ', '}
              <Link href={hrefIn(scope, `/month-close/${month}`)}>{describeMonth(month)}</Link>
            </Fragment>
          ))}
          . What arrived later is in the journals of late arrivals there.
        </p>
      )}
      <FilterBar onClear={null}>
        <FilterMenu label="Days" value={describePeriod(days.from, days.to)}>
          <PeriodFilter from={days.from} to={days.to} onChange={(next) => void setPeriod(next)} />
        </FilterMenu>
      </FilterBar>
      <Refusal message={error?.message ?? null} />
      {summaries?.length === 0 && (
        <EmptyState title="Nothing to post">No payment, refund, fee, dispute or payout is of these days.</EmptyState>
      )}
      {summaries?.map((summary) => (
        <AccountsTable key={summary.currency} summary={summary} setting={setting} />
      ))}
      {summaries !== undefined && summaries.length > 0 && can('report:export', merchantId) && (
        <DownloadForm
          key={summaries.map(({ currency }) => currency).join()}
          currencies={summaries.map(({ currency }) => currency)}
          onFetch={(wanted) =>
            queries.fetchQuery(trpc.journal.files.queryOptions({ merchantId, mode, ...days, ...wanted }, { staleTime: 0 }))
          }
        />
      )}
      {isEditing && <MappingDialog books={{ merchantId, mode }} setting={setting} onClose={() => setIsEditing(false)} />}
    </>
  );
}

/** Sums that a period posts to each account of the books, and the account as the books know it. */
function AccountsTable({ summary, setting }: { summary: JournalSummary; setting: AccountingSetting }) {
  const { currency, entries, accounts, debit, credit } = summary;
  const labelOf = (accountId: string) =>
    setting.accounts.find((account) => account.accountId === accountId)?.accountLabel ?? 'a removed account';
  const columns = [
    { title: 'Posting' },
    { title: 'Account in the books' },
    { title: 'Class' },
    { title: `Debit, ${currency}`, number: true },
    { title: `Credit, ${currency}`, number: true },
  ];
  return (
    <section aria-label={`Journal, ${currency}`} className="mb-8">
      <p className="mb-1 text-sm text-ink-quiet">
        {entries === 1 ? '1 entry' : `${entries.toLocaleString('en')} entries`} in {currency}
      </p>
      <PlainTable label={`Accounts, ${currency}`} columns={columns}>
        <tbody {...roles.group}>
          {accounts.map((account) => {
            const { to } = account;
            const known =
              to.posting === 'clearing' ? setting.mapping.clearing[to.accountId] : setting.mapping.postings[to.posting];
            return (
              <tr key={JSON.stringify(to)} {...roles.row}>
                <th
                  scope="row"
                  {...roles.rowHeader}
                  title={to.posting === 'clearing' ? 'What the gateway holds for the merchant.' : POSTING_MEANINGS[to.posting]}
                >
                  {describePosting(to, labelOf)}
                </th>
                <td {...textCell('Account in the books')}>
                  <KnownAs account={known} />
                </td>
                <td {...textCell('Class')}>{known?.trackingClass === '' ? '–' : (known?.trackingClass ?? '–')}</td>
                <td {...numberCell('Debit')}>{shown(account.debit)}</td>
                <td {...numberCell('Credit')}>{shown(account.credit)}</td>
              </tr>
            );
          })}
        </tbody>
        <tfoot {...roles.group}>
          <tr {...roles.row}>
            <th scope="row" {...roles.rowHeader}>
              Total
            </th>
            <td {...textCell('Account in the books')} />
            <td {...textCell('Class')} />
            <td {...numberCell('Debit')}>{shown(debit)}</td>
            <td {...numberCell('Credit')}>{shown(credit)}</td>
          </tr>
        </tfoot>
      </PlainTable>
    </section>
  );
}

function KnownAs({ account }: { account: BookAccount | undefined }) {
  if (account === undefined || (account.code === '' && account.name === '')) {
    return <span className="text-bad-ink font-medium">Not mapped</span>;
  }
  return (
    <>
      {account.code !== '' && <span className="tabular-nums">{account.code} </span>}
      {account.name}
    </>
  );
}

function shown(amount: string) {
  return /[1-9]/.test(amount) ? groupDecimal(amount) : <span className="text-ink-faint">–</span>;
}
