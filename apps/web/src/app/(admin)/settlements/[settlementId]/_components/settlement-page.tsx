'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { useState } from 'react';
import { lineParsers, toLineFilter } from '#/app/(admin)/settlements/filters.ts';
import { RememberOpened } from '#/app-shell/commands/recent/remember-opened.tsx';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { UnknownStatus } from '#/components/unknown-status/unknown-status.tsx';
import {
  countLines,
  describeNet,
  describeSales,
  LINE_KINDS,
  LINE_LABELS,
  type LineKind,
  PAYOUT_CHANGES,
  type PayoutChange,
  ROADS,
  SETTLEMENT_LABELS,
  type WholeSettlement,
} from '#/copy/settlements.ts';
import { addDecimals, formatDecimal, formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { BankSection } from './bank-section.tsx';
import { FeeComparison } from './fee-comparison.tsx';
import { LinesSection } from './lines-section.tsx';

/** One settlement: what was paid out, how its lines explain it, and the lines. */
export function SettlementPage({ settlementId }: { settlementId: string }) {
  const trpc = useTRPC();
  const scope = useScope();
  const [filters, setFilters] = useQueryStates(lineParsers);
  const { data: settlement } = useQuery(trpc.settlements.byId.queryOptions({ settlementId }));
  if (settlement === undefined) return null;
  const { status, settledOn, currency, net, mode, merchantId } = settlement;
  return (
    <>
      <BackLink href={hrefIn(scope, '/settlements')}>Settlements</BackLink>
      <RememberOpened
        kind="settlement"
        id={settlementId}
        title={`${formatMoney(currency, net)}, ${settlement.accountLabel}`}
        mode={mode}
        merchantId={merchantId}
      />
      <PageHead title={formatMoney(currency, net)}>
        <WithdrawPayout settlement={settlement} />
        <ExportButton
          list="settlement-lines"
          filter={{ mode, merchantIds: [merchantId], ...toLineFilter(settlementId, filters) }}
        />
      </PageHead>
      <p className="flex flex-wrap gap-x-3 gap-y-1 items-center -mt-2 mb-5 text-ink-quiet text-sm">
        <Badge tone={SETTLEMENT_LABELS[status].tone}>{SETTLEMENT_LABELS[status].word}</Badge>
        {settledOn === null ? 'No day of payout yet' : `Paid out ${formatDay(settledOn)}`} · {settlement.gatewayTitle} ·{' '}
        {settlement.accountLabel} · {settlement.merchantName}
      </p>
      {describeNet(settlement) !== null && (
        <p className="max-w-[90ch] mb-5 text-base tabular-nums wrap-anywhere">
          {describeNet(settlement)} <Sales settlement={settlement} />
        </p>
      )}
      <UnknownStatus message={settlement.unrecognised} record={settlement.unrecognisedRecord}>
        It stays {SETTLEMENT_LABELS[status].word.toLowerCase()} until the gateway gives a known one. After seven days without, it
        is a discrepancy to work on.
      </UnknownStatus>
      <div className="grid gap-x-10 gap-y-6 mb-8 grid-cols-[minmax(0,1.6fr)_minmax(260px,1fr)] max-laptop:grid-cols-1">
        <TotalsTable
          settlement={settlement}
          onChoose={(kind) => void setFilters({ kind: kind === null ? null : [kind], unmatched: null })}
        />
        <Facts settlement={settlement} />
      </div>
      <BankSection settlement={settlement} />
      <FeeComparison settlement={settlement} />
      <LinesSection settlement={settlement} filters={filters} onChange={(change) => void setFilters(change)} />
      <ChangesSection settlementId={settlementId} />
    </>
  );
}

/** The sales of the settlement's days, beside what it has of them. */
function Sales({ settlement }: { settlement: WholeSettlement }) {
  const { mode, merchantId, accountId, sales } = settlement;
  const sentence = describeSales(settlement);
  if (sentence === null || sales === null) return null;
  const days = { account: accountId, from: sales.from, to: sales.to };
  return (
    <>
      {sentence}{' '}
      <Link href={hrefIn({ mode, merchantId }, '/payments', days)}>
        Payments of {sales.from === sales.to ? 'that day' : 'these days'}
      </Link>
    </>
  );
}

function Facts({ settlement }: { settlement: WholeSettlement }) {
  const { reference, road, periodFrom, periodTo, openDiscrepancies, createdAt } = settlement;
  return (
    <section aria-label="Details">
      <h2 className="mb-2 text-base font-semibold">Details</h2>
      <DescriptionList>
        <Description name="Reference">
          <Copyable text={reference} label="reference" />
        </Description>
        <Description name="Source">{ROADS[road].word}</Description>
        <Description name="First payment">{periodFrom === null ? null : <Moment value={periodFrom} />}</Description>
        <Description name="Last payment">{periodTo === null ? null : <Moment value={periodTo} />}</Description>
        <Description name="Open discrepancies">{openDiscrepancies.toLocaleString('en')}</Description>
        <Description name="Created">
          <Moment value={createdAt} />
        </Description>
      </DescriptionList>
    </section>
  );
}

/** Changes that people made to a settlement, newest first; nothing where there are none. */
export function ChangesSection({ settlementId }: { settlementId: string }) {
  const { data: changes } = useQuery(useTRPC().settlements.changes.queryOptions({ settlementId }));
  if (changes === undefined || changes.length === 0) return null;
  return (
    <section aria-labelledby="changes" className="mt-8">
      <h2 id="changes" className="mb-2 text-base font-semibold">
        Corrections
      </h2>
      <PlainTable label="Corrections" columns={COLUMNS}>
        <tbody {...roles.group}>
          {changes.map((change) => (
            <tr key={change.changeId} {...roles.row}>
              <td {...textCell('When')}>
                <Moment value={change.changedAt} />
              </td>
              <td {...textCell('Correction')}>
                {PAYOUT_CHANGES[change.action]}
                {change.fileName !== null && <span className="block text-ink-quiet text-xs">{change.fileName}</span>}
              </td>
              <td {...textCell('Before')}>{describeFigures(change.before)}</td>
              <td {...textCell('After')}>{change.after === null ? 'Nothing' : describeFigures(change.after)}</td>
              <td {...textCell('Reason')}>{change.reason}</td>
              <td {...textCell('By')}>{change.changedByName ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </PlainTable>
    </section>
  );
}

function describeFigures({ currency, net, settledOn, lines }: PayoutChange['before']): string {
  return `${formatMoney(currency, net)}, ${settledOn ?? 'no day'}, ${countLines(lines)}`;
}

const COLUMNS = [
  { title: 'When' },
  { title: 'Correction' },
  { title: 'Before' },
  { title: 'After' },
  { title: 'Reason' },
  { title: 'By' },
];

const UNTIL_PAID = 'Its lines are read once it is paid out, as they can change until then.';
const NO_LINES: Record<WholeSettlement['status'], string> = {
  PAID: 'The gateway lists no line of this settlement.',
  PENDING: UNTIL_PAID,
  FAILED: UNTIL_PAID,
  WITHDRAWN: 'It was withdrawn, and its lines with it.',
};

/** The lines added up by kind down to the net amount. Each kind shows its lines. */
function TotalsTable({ settlement, onChoose }: { settlement: WholeSettlement; onChoose: (kind: LineKind | null) => void }) {
  const { currency, totals, status } = settlement;
  const known = LINE_KINDS.flatMap((kind) => totals.filter((total) => total.kind === kind));
  const columns = [
    { title: 'Type' },
    { title: 'Lines', number: true },
    { title: 'Not matched', number: true },
    { title: `Amount, ${currency}`, number: true },
  ];
  if (known.length === 0) {
    return <p className="text-ink-quiet text-sm">{NO_LINES[status]}</p>;
  }
  return (
    <PlainTable label="Totals" columns={columns}>
      <tbody {...roles.group}>
        {known.map(({ kind, count, amount, unmatchedCount, unmatchedAmount }) => (
          <tr key={kind} {...roles.row}>
            <td {...textCell('Type')}>
              <button
                type="button"
                className="min-h-6 underline underline-offset-3 decoration-line-strong"
                title={LINE_LABELS[kind].meaning}
                onClick={() => onChoose(kind)}
              >
                {LINE_LABELS[kind].many}
              </button>
            </td>
            <td {...numberCell('Lines')}>{count.toLocaleString('en')}</td>
            <td {...numberCell('Not matched')}>
              {unmatchedCount === 0 ? (
                <span className="text-ink-faint">0</span>
              ) : (
                <span className="text-bad-ink" title={formatDecimal(currency, unmatchedAmount)}>
                  {countLines(unmatchedCount)}
                </span>
              )}
            </td>
            <td {...numberCell('Amount')}>{formatDecimal(currency, amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot {...roles.group}>
        <tr {...roles.row} className="font-semibold">
          <td {...textCell('Type')}>Net</td>
          <td {...numberCell('Lines')}>{known.reduce((sum, { count }) => sum + count, 0).toLocaleString('en')}</td>
          <td {...numberCell('Not matched')}>
            {known.reduce((sum, total) => sum + total.unmatchedCount, 0).toLocaleString('en')}
          </td>
          <td {...numberCell('Amount')}>{formatDecimal(currency, addDecimals(known.map(({ amount }) => amount)))}</td>
        </tr>
      </tfoot>
    </PlainTable>
  );
}

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
