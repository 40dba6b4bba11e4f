'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { SettlementsFilters } from '#/app/(admin)/settlements/filters.ts';
import { Button } from '#/components/button/button.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { ENTRY_LABELS, LINE_LABELS, SETTLEMENT_DISCREPANCY_LABELS, type SettlementDiscrepancy } from '#/copy/settlements.ts';
import { DiscrepancySidePanel, WholeDiscrepancy } from '#/discrepancies/discrepancy-panel.tsx';
import { formatMoney, subtractDecimals } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { failureText } from '#/forms/failure-text.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
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
    <DiscrepancySidePanel discrepancyId={discrepancyId} rows={rows} error={error} onOpen={onOpen} onClose={onClose}>
      {data === undefined ? null : <Whole key={data.discrepancyId} discrepancy={data} />}
    </DiscrepancySidePanel>
  );
}

function Whole({ discrepancy }: { discrepancy: SettlementDiscrepancy }) {
  const { merchantId, merchantName, accountLabel, kind, about, resolvedBy, resolvedByName } = discrepancy;
  const may = useCan()('reconciliation:resolve', merchantId);
  return (
    <WholeDiscrepancy
      discrepancy={discrepancy}
      place={`${merchantName} · ${accountLabel}`}
      title={describeKind(kind, about)}
      meaning={meaningOf(discrepancy)}
      closedBy={resolvedByName ?? describeResolver(resolvedBy)}
      may={may}
      useActions={useSettlementActions}
    >
      <Facts discrepancy={discrepancy} />
      {may && <Pairs discrepancy={discrepancy} />}
    </WholeDiscrepancy>
  );
}

const PAIRED: readonly SettlementDiscrepancy['kind'][] = ['UNMATCHED', 'MISSING', 'LATE'];

/** Lines that are not matched and missing money of equal amounts, each to be matched by one click; nothing where there are none. */
function Pairs({ discrepancy: { discrepancyId, merchantId, kind, state } }: { discrepancy: SettlementDiscrepancy }) {
  const trpc = useTRPC();
  const enabled = state === 'OPEN' && PAIRED.includes(kind);
  const { data: pairs = [] } = useQuery(trpc.settlements.discrepancies.pairs.queryOptions({ discrepancyId }, { enabled }));
  const { linkLine } = useSettlementActions();
  if (pairs.length === 0) return null;
  async function match({ lineId, entry: { subject, paymentId, merchantOrderId } }: Pair) {
    try {
      await linkLine.mutateAsync({ merchantId, lineId, entry: { subject, paymentId } });
      showToast({ text: `The line is matched with ${merchantOrderId}.` });
    } catch (error) {
      showToast({ tone: 'bad', text: failureText(error) });
    }
  }
  return (
    <section aria-label="Of equal amounts" className="grid gap-2">
      <h3 className="text-sm font-semibold">
        {kind === 'UNMATCHED' ? 'Missing, of this amount' : 'Not matched, of this amount'}
      </h3>
      <ul className="grid gap-2">
        {pairs.map((pair) => (
          <li
            key={`${pair.lineId} ${pair.entry.subject}`}
            className="flex flex-wrap gap-x-3 gap-y-1 items-center justify-between"
          >
            <span className="wrap-anywhere">{describePair(pair, kind)}</span>
            <Button loading={linkLine.isPending} onClick={() => void match(pair)}>
              Match
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}

type Pair = RouterOutputs['settlements']['discrepancies']['pairs'][number];

function describePair({ entry, settlementReference, settledOn }: Pair, kind: SettlementDiscrepancy['kind']): string {
  if (kind !== 'UNMATCHED') return `Line of ${settlementReference}${settledOn === null ? '' : `, ${formatDay(settledOn)}`}`;
  return `${ENTRY_LABELS[entry.kind]} of ${entry.merchantOrderId}, ${formatMoney(entry.currency, entry.amount)}`;
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
