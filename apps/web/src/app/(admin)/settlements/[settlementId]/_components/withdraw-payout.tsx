'use client';

import dynamic from 'next/dynamic';
import { useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import type { WholeSettlement } from '#/copy/settlements.ts';
import { useCan } from '#/trpc/use-can.ts';

const WithdrawDialog = dynamic(() =>
  import('#/app/(admin)/settlements/_components/corrections/withdraw-dialog.tsx').then((module) => module.WithdrawDialog),
);

/** Withdraws a payout that came by a file; one that the gateway itself reported would come again. */
export function WithdrawPayout({
  settlement: { settlementId, merchantId, reference, road, status },
}: {
  settlement: Pick<WholeSettlement, 'settlementId' | 'merchantId' | 'reference' | 'road' | 'status'>;
}) {
  const may = useCan()('reconciliation:resolve', merchantId);
  const [isAsking, setAsking] = useState(false);
  if (!may || road !== 'FILE' || status === 'WITHDRAWN') return null;
  return (
    <>
      <Button onClick={() => setAsking(true)}>Withdraw…</Button>
      {isAsking && (
        <WithdrawDialog
          target={{ merchantId, what: 'settlement', id: settlementId }}
          name={reference}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
