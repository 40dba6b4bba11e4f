'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { SettlementsFilters } from '#/app/(admin)/settlements/filters.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { PanelSkeleton, SidePanel } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { DISCREPANCY_STATES } from '#/copy/discrepancies.ts';
import { LINE_LABELS, SETTLEMENT_DISCREPANCY_LABELS, type SettlementDiscrepancy } from '#/copy/settlements.ts';
import { OwnerAndNote } from '#/discrepancies/owner-and-note.tsx';
import { ResolutionForm } from '#/discrepancies/resolution-form.tsx';
import { formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { subtractDecimals } from '#/format/decimals.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { useDiscrepancies, useSettlementActions } from '../use-settlements.ts';
import { describeKind } from './discrepancies-table.tsx';

/** One discrepancy beside the list. */
export function DiscrepancyPanel({
  discrepancyId,
  filters,
  onOpen,
  onClose,
}: {
  discrepancyId: string;
  filters: SettlementsFilters;
  onOpen: (discrepancyId: string) => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { rows } = useDiscrepancies(filters);
  const { data, error } = useQuery(trpc.settlements.discrepancies.byId.queryOptions({ discrepancyId }));
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

function Whole({ discrepancy }: { discrepancy: SettlementDiscrepancy }) {
  const may = useCan()('reconciliation:resolve', discrepancy.merchantId);
  const meaning = meaningOf(discrepancy);
  const state = DISCREPANCY_STATES[discrepancy.state];
  const { resolvedAt, resolvedBy, resolvedByName, resolution } = discrepancy;
  return (
    <>
      <div>
        <p className="text-ink-quiet">
          {discrepancy.merchantName} · {discrepancy.accountLabel}
        </p>
        <h2 className="flex flex-wrap gap-x-3.5 gap-y-1.5 items-center mt-0.5 mb-1 text-[18px] font-semibold">
          {describeKind(discrepancy.kind, discrepancy.about)}
          <Badge tone={state.tone}>{state.word}</Badge>
        </h2>
        <p className="text-ink-quiet">{meaning}</p>
      </div>
      <Facts discrepancy={discrepancy} />
      <OwnerAndNote discrepancy={discrepancy} may={may} useActions={useSettlementActions} />
      {resolvedAt !== null && (
        <p className="py-2.5 px-3 border-l-2 border-line-strong bg-ground-quiet wrap-anywhere">
          {state.word} by {resolvedByName ?? describeResolver(resolvedBy)} <Moment value={resolvedAt} />
          {resolution !== null && `: ${resolution}`}
        </p>
      )}
      {may && <ResolutionForm discrepancy={discrepancy} useActions={useSettlementActions} />}
      <p className="text-ink-quiet text-xs">
        First found <Moment value={discrepancy.createdAt} />
      </p>
    </>
  );
}

function meaningOf({ kind, about }: SettlementDiscrepancy): string {
  if (about === 'payout') return 'What reached the bank is not what the gateway paid out.';
  if (about === 'status') return 'The gateway gives a status of the payout that its documentation does not list.';
  if (about === 'bank') return 'The bank names a gateway, and no payout matches it.';
  return SETTLEMENT_DISCREPANCY_LABELS[kind].meaning;
}

function Facts({ discrepancy }: { discrepancy: SettlementDiscrepancy }) {
  const { mode, merchantId, currency, expected, settled, expectedOn, paymentId, settlementId, lineKind } = discrepancy;
  const money = (amount: string) => formatMoney(currency, amount);
  return (
    <DescriptionList>
      <Description name="Expected">{expected === null ? null : money(expected)}</Description>
      <Description name="Settled">{settled === null ? 'Nothing' : money(settled)}</Description>
      <Description name="Difference" strong>
        {expected !== null && settled !== null ? money(subtractDecimals(settled, expected)) : null}
      </Description>
      <Description name="Expected on">{expectedOn === null ? null : formatDay(expectedOn)}</Description>
      <Description name="Line">{lineKind === null ? null : LINE_LABELS[lineKind].word}</Description>
      <Description name="Reference">{discrepancy.reference}</Description>
      <Description name="Transaction">{discrepancy.transactionId}</Description>
      <Description name="Payment">
        {paymentId === null ? null : (
          <Link href={hrefIn({ mode, merchantId }, `/payments/${paymentId}`)} prefetch={false}>
            {discrepancy.merchantOrderId ?? 'Open the payment'}
          </Link>
        )}
      </Description>
      <Description name="Settlement">
        {settlementId === null ? null : (
          <Link href={hrefIn({ mode, merchantId }, `/settlements/${settlementId}`)} prefetch={false}>
            {discrepancy.settlementReference ?? 'Open the settlement'}
          </Link>
        )}
      </Description>
    </DescriptionList>
  );
}

function describeResolver(resolvedBy: string | null): string {
  if (resolvedBy?.startsWith('system:')) return 'a later settlement';
  return resolvedBy?.startsWith('rule:') ? 'an ignore rule' : 'staff';
}
