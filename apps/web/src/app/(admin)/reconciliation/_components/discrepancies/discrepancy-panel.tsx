'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { Badge } from '#/components/badge/badge.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { PanelSkeleton, SidePanel } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { DISCREPANCY_STATES, type Discrepancy, KIND_LABELS } from '#/copy/discrepancies.ts';
import { OwnerAndNote } from '#/discrepancies/owner-and-note.tsx';
import { ResolutionForm } from '#/discrepancies/resolution-form.tsx';
import { formatDay } from '#/format/calendar.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { LedgerAndStatement } from '../days/ledger-and-statement.tsx';
import { useDiscrepancyActions } from './use-discrepancy-actions.ts';

/** One discrepancy beside the list. */
export function DiscrepancyPanel({
  discrepancyId,
  rows,
  onOpen,
  onClose,
}: {
  discrepancyId: string;
  rows: readonly { readonly discrepancyId: string }[];
  onOpen: (discrepancyId: string) => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.reconciliation.discrepancy.queryOptions({ discrepancyId }));
  return (
    <SidePanel
      label="Discrepancy"
      steps={{
        id: discrepancyId,
        ids: rows.map((row) => row.discrepancyId),
        words: ['Previous discrepancy', 'Next discrepancy'],
        onOpen,
      }}
      from={['data-discrepancy', discrepancyId]}
      onClose={onClose}
    >
      <Refusal message={error?.message ?? null} />
      {data === undefined && error === null && <PanelSkeleton label="Loading the discrepancy" />}
      {data !== undefined && <Whole key={data.discrepancyId} discrepancy={data} />}
    </SidePanel>
  );
}

function Whole({ discrepancy }: { discrepancy: Discrepancy }) {
  const may = useCan()('reconciliation:resolve', discrepancy.merchantId);
  const { word, meaning } = KIND_LABELS[discrepancy.kind];
  const state = DISCREPANCY_STATES[discrepancy.state];
  const { resolvedAt, resolvedBy, resolvedByName, resolution, mode, merchantId, paymentId } = discrepancy;
  return (
    <>
      <div>
        <p className="text-ink-quiet">
          {discrepancy.merchantName} · {discrepancy.accountLabel} · {formatDay(discrepancy.day)}
        </p>
        <h2 className="flex flex-wrap gap-x-3.5 gap-y-1.5 items-center mt-0.5 mb-1 text-[18px] font-semibold">
          {discrepancy.about === 'refund' ? `Refund: ${word.toLowerCase()}` : word}
          <Badge tone={state.tone}>{state.word}</Badge>
        </h2>
        <p className="text-ink-quiet">{meaning}</p>
      </div>
      <LedgerAndStatement discrepancy={discrepancy} />
      {paymentId !== null && (
        <Link href={hrefIn({ mode, merchantId }, `/payments/${paymentId}`)} prefetch={false}>
          Open the payment
        </Link>
      )}
      <OwnerAndNote discrepancy={discrepancy} may={may} useActions={useDiscrepancyActions} />
      {resolvedAt !== null && (
        <p className="py-2.5 px-3 border-l-2 border-line-strong bg-ground-quiet wrap-anywhere">
          {state.word} by {resolvedByName ?? (resolvedBy?.startsWith('system:') ? 'a later comparison' : 'staff')}{' '}
          <Moment value={resolvedAt} />: {resolution}
        </p>
      )}
      {may && <ResolutionForm discrepancy={discrepancy} useActions={useDiscrepancyActions} />}
      <p className="text-ink-quiet text-xs">
        First found <Moment value={discrepancy.createdAt} />
      </p>
    </>
  );
}
