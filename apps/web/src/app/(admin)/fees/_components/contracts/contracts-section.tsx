'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { describeFees } from '#/app/(admin)/gateways/_components/copy.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { DataTable } from '#/components/data-table/data-table.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { type Contract, type ContractAccount, describeException } from '#/copy/fees.ts';
import { groupDecimal } from '#/format/amounts.ts';
import { useCan } from '#/trpc/use-can.ts';
import { currentContract, useContracts } from '../use-fees.ts';

const ContractDialog = dynamic(() => import('./contract-dialog.tsx').then((module) => module.ContractDialog));

/** Each account with its contracts, the one that applies and those before and after it. */
export function ContractsSection() {
  const accounts = useContracts();
  const can = useCan();
  const [entered, setEntered] = useState<ContractAccount | null>(null);
  if (accounts.length === 0) {
    return <EmptyState title="No gateway account">Connect an account, and enter what its gateway charges.</EmptyState>;
  }
  return (
    <>
      {accounts.map((account) => (
        <section key={account.accountId} className="mb-7" aria-label={`${account.accountLabel} of ${account.merchantName}`}>
          <div className="flex flex-wrap items-center justify-between gap-2 mb-2">
            <h2 className="text-base font-semibold">
              {account.accountLabel} <span className="text-ink-quiet font-normal">· {account.merchantName}</span>
            </h2>
            {can('fee:configure', account.merchantId) && (
              <Button onClick={() => setEntered(account)} aria-label={`Enter a contract of ${account.accountLabel}`}>
                Enter a contract
              </Button>
            )}
          </div>
          <Contracts account={account} />
        </section>
      ))}
      {entered !== null && <ContractDialog account={entered} onClose={() => setEntered(null)} />}
    </>
  );
}

function Contracts({ account }: { account: ContractAccount }) {
  const applies = currentContract(account, useNow());
  if (account.contracts.length === 0) {
    return (
      <p className="text-ink-quiet text-sm">
        No contract: its fees are not compared, and it comes last where the lowest fee ranks.
      </p>
    );
  }
  return (
    <DataTable
      label={`Contracts of ${account.accountLabel}`}
      name="fee-contracts"
      columns={columnsOf(applies)}
      rows={account.contracts.toReversed()}
      rowKey={({ contractId }) => contractId}
    />
  );
}

function columnsOf(applies: Contract | null): DataColumn<Contract>[] {
  return [
    {
      id: 'from',
      header: 'Applies from',
      fixed: true,
      labelled: true,
      sortable: 'descending',
      sortValue: ({ appliesFrom }) => appliesFrom,
      cell: ({ appliesFrom }) => <Moment value={appliesFrom} tense="either" />,
    },
    {
      id: 'until',
      header: 'Until',
      labelled: true,
      cell: (contract) => <Until contract={contract} applies={contract === applies} />,
    },
    {
      id: 'terms',
      header: 'Terms',
      labelled: true,
      wraps: true,
      card: 'line',
      cell: ({ schedule }) => (
        <>
          {schedule === null ? 'No contract' : describeFees(schedule)}
          {schedule?.exceptions?.map((exception) => (
            <span key={describeException(exception)} className="block text-ink-quiet text-xs">
              {describeException(exception)}: {describeFees(exception)}
            </span>
          ))}
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
    { id: 'note', header: 'Note', labelled: true, wraps: true, cell: ({ note }) => note },
  ];
}

function Until({ contract: { appliesFrom, appliesTo }, applies }: { contract: Contract; applies: boolean }) {
  if (applies) return <Badge tone="good">Applies</Badge>;
  if (appliesTo === null) return <span className="text-ink-quiet">Begins then</span>;
  if (appliesTo.getTime() === appliesFrom.getTime()) return <span className="text-ink-quiet">Replaced</span>;
  return <Moment value={appliesTo} tense="either" />;
}
