'use client';

import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useMemo, useState } from 'react';
import { useLines, useSettlementActions } from '#/app/(admin)/settlements/_components/use-settlements.ts';
import { Button } from '#/components/button/button.tsx';
import type { DataColumn } from '#/components/data-table/columns.tsx';
import { FilterBar, filterClass } from '#/components/filter-bar/filter-bar.tsx';
import { NothingListed } from '#/components/list/nothing-listed.tsx';
import { NounTable } from '#/components/list/noun-table.tsx';
import { Select } from '#/components/select/select.tsx';
import {
  LINE_KINDS,
  LINE_LABELS,
  LINKED_BY,
  type LineKind,
  type SettlementLine,
  type WholeSettlement,
} from '#/copy/settlements.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { hrefIn, type Scope } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCan } from '#/trpc/use-can.ts';

const ConfirmDialog = dynamic(() => import('#/forms/form-dialog.tsx').then((module) => module.ConfirmDialog));
const LinkDialog = dynamic(() => import('./link-dialogs.tsx').then((module) => module.LinkDialog));

interface LineFilters {
  readonly kind: readonly LineKind[];
  readonly unmatched: boolean;
}

const KIND_OPTIONS = [
  { value: '', label: 'Any' } as const,
  ...LINE_KINDS.map((value) => ({ value, label: LINE_LABELS[value].many })),
];

/** The lines of a settlement in the gateway's order. */
export function LinesSection({
  settlement,
  filters,
  onChange,
}: {
  settlement: WholeSettlement;
  filters: LineFilters;
  onChange: (change: { kind?: LineKind[] | null; unmatched?: boolean | null }) => void;
}) {
  const { settlementId, currency, merchantId } = settlement;
  const scope = useScope();
  const mayMatch = useCan()('reconciliation:resolve', merchantId);
  const [linked, setLinked] = useState<SettlementLine | null>(null);
  const [undone, setUndone] = useState<SettlementLine | null>(null);
  const { unlinkLine } = useSettlementActions();
  const list = useLines(settlementId, filters);
  const columns = useMemo(
    () => [...columnsFor(scope, currency), ...(mayMatch ? [actionColumn(setLinked, setUndone)] : [])],
    [scope, currency, mayMatch],
  );
  const isFiltered = filters.kind.length > 0 || filters.unmatched;
  const clear = isFiltered ? () => onChange({ kind: null, unmatched: null }) : null;
  if (list.state === 'ready' && list.rows.length === 0 && !isFiltered) return null;
  return (
    <section aria-labelledby="lines">
      <h2 id="lines" className="mb-2 text-base font-semibold">
        Lines
      </h2>
      <FilterBar onClear={clear}>
        <Select
          label="Type"
          labelPlace="inside"
          marked={filters.kind.length > 0}
          options={KIND_OPTIONS}
          value={filters.kind[0] ?? ''}
          onChange={(kind) => onChange({ kind: kind === '' ? null : [kind] })}
        />
        <button
          type="button"
          className={filterClass}
          aria-pressed={filters.unmatched}
          data-set={filters.unmatched}
          onClick={() => onChange({ unmatched: !filters.unmatched })}
        >
          Not matched only
        </button>
      </FilterBar>
      <NounTable
        label="Lines"
        name="settlement-lines"
        list={list}
        columns={columns}
        rowKey={(row) => row.lineId}
        noun={['line', 'lines']}
        empty={<NothingListed nouns="lines" onClear={clear} />}
      />
      {linked !== null && <LinkDialog merchantId={merchantId} line={linked} onClose={() => setLinked(null)} />}
      {undone !== null && (
        <ConfirmDialog
          title="Undo this match"
          action="Undo match"
          onConfirm={async () => {
            await unlinkLine.mutateAsync({ merchantId, lineId: undone.lineId });
            return null;
          }}
          onClose={() => setUndone(null)}
        >
          <p className="mb-4 text-ink-quiet text-sm">
            {formatMoney(currency, undone.amount)} is not matched any more, and what it was matched with is open again.
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}

function actionColumn(
  onLink: (line: SettlementLine) => void,
  onUndo: (line: SettlementLine) => void,
): DataColumn<SettlementLine> {
  return {
    id: 'action',
    header: 'Match',
    card: 'third',
    className: 'text-end',
    cell: (line) => {
      if (line.linkedBy === null && line.kind !== 'RESIDUE') return <Button onClick={() => onLink(line)}>Match…</Button>;
      return line.linkedBy === 'STAFF' ? <Button onClick={() => onUndo(line)}>Undo…</Button> : null;
    },
  };
}

function columnsFor(scope: Scope, currency: string): DataColumn<SettlementLine>[] {
  return [
    {
      id: 'kind',
      header: 'Type',
      card: 'second',
      cell: ({ kind }) => <span title={LINE_LABELS[kind].meaning}>{LINE_LABELS[kind].word}</span>,
    },
    {
      id: 'amount',
      header: `Amount, ${currency}`,
      look: 'number',
      card: 'aside',
      className: 'font-medium',
      cell: ({ amount }) => formatDecimal(currency, amount),
    },
    {
      id: 'order',
      header: 'Order',
      fixed: true,
      card: 'main',
      cell: (row) => orderCell(row, scope),
    },
    {
      id: 'reference',
      header: 'Reference',
      look: 'id',
      priority: 4,
      cell: ({ reference, transactionId }) => reference ?? transactionId ?? '–',
    },
    {
      id: 'linkedBy',
      header: 'Matched',
      look: 'quiet',
      priority: 3,
      cell: (row) => matchedCell(row, scope),
    },
    {
      id: 'occurred',
      header: 'Paid',
      priority: 5,
      moment: ({ occurredAt }) => occurredAt,
    },
  ];
}

function orderCell({ paymentId, merchantOrderId, description, kind, subjects }: SettlementLine, scope: Scope) {
  if (paymentId !== null) {
    return (
      <Link href={hrefIn(scope, `/payments/${paymentId}`)} prefetch={false} className="row-link font-medium">
        {merchantOrderId ?? 'Open the payment'}
      </Link>
    );
  }
  if (subjects.length > 1) return `${subjects.length.toLocaleString('en')} refunds and disputes`;
  return <span className="text-ink-quiet">{description ?? LINE_LABELS[kind].word}</span>;
}

function matchedCell({ linkedBy, disputeId, discrepancyId }: SettlementLine, scope: Scope) {
  const dispute = disputeId === null ? null : hrefIn(scope, `/disputes/${disputeId}`);
  const query = { view: 'discrepancies', state: 'all', discrepancy: discrepancyId ?? '' };
  const discrepancy = discrepancyId === null ? null : hrefIn(scope, '/settlements', query);
  return (
    <>
      {linkedBy === null ? <span className="text-bad-ink">Not matched</span> : LINKED_BY[linkedBy]}
      {linkTo('Dispute', dispute)}
      {linkTo('Discrepancy', discrepancy)}
    </>
  );
}

function linkTo(word: string, href: string | null) {
  if (href === null) return null;
  return (
    <>
      {' · '}
      <Link href={href} prefetch={false}>
        {word}
      </Link>
    </>
  );
}
