'use client';

import dynamic from 'next/dynamic';
import { type ReactNode, useState } from 'react';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { useCan } from '#/trpc/use-can.ts';
import type { WithdrawnTarget } from './withdraw-dialog.tsx';

const WithdrawDialog = dynamic(() => import('./withdraw-dialog.tsx').then((module) => module.WithdrawDialog));

interface Imported {
  readonly merchantId: string;
  readonly name: string;
  readonly withdrawnAt: Date | null;
}

/** The last column of a list of imports, in which one that counts can be withdrawn, and the dialog that asks while it is open. */
export function useWithdrawal<Row extends Imported>(
  what: WithdrawnTarget['what'],
  idOf: (row: Row) => string,
  onCard: Pick<DataColumn<Row>, 'card' | 'labelled'>,
): { readonly column: DataColumn<Row>; readonly dialog: ReactNode } {
  const can = useCan();
  const [withdrawn, setWithdrawn] = useState<Row | null>(null);
  return {
    column: {
      id: 'state',
      header: 'State',
      fixed: true,
      ...onCard,
      cell(row) {
        if (row.withdrawnAt !== null) return <Badge tone="over">Withdrawn</Badge>;
        if (!can('reconciliation:resolve', row.merchantId)) return <Badge tone="good">Counts</Badge>;
        return <Button onClick={() => setWithdrawn(row)}>Withdraw…</Button>;
      },
    },
    dialog: withdrawn !== null && (
      <WithdrawDialog
        target={{ merchantId: withdrawn.merchantId, what, id: idOf(withdrawn) }}
        name={withdrawn.name}
        onClose={() => setWithdrawn(null)}
      />
    ),
  };
}
