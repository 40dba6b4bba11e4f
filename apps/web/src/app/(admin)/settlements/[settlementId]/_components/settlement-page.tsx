'use client';

import { useQuery } from '@tanstack/react-query';
import { useQueryStates } from 'nuqs';
import { lineParsers } from '#/app/(admin)/settlements/filters.ts';
import { RememberOpened } from '#/app-shell/commands/recent/remember-opened.tsx';
import { BackLink } from '#/components/back-link/back-link.tsx';
import { Badge } from '#/components/badge/badge.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { ExportButton } from '#/components/export-button/export-button.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { UnknownStatus } from '#/components/unknown-status/unknown-status.tsx';
import { ROADS, SETTLEMENT_LABELS, type WholeSettlement } from '#/copy/settlements.ts';
import { formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { BankSection } from './bank-section.tsx';
import { ChangesSection } from './changes-section.tsx';
import { FeeComparison } from './fee-comparison.tsx';
import { LinesSection } from './lines-section.tsx';
import { TotalsTable } from './totals-table.tsx';
import { WithdrawPayout } from './withdraw-payout.tsx';

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
        <ExportButton list="settlement-lines" filter={{ mode, merchantIds: [merchantId], settlementId }} />
      </PageHead>
      <p className="flex flex-wrap gap-x-3 gap-y-1 items-center -mt-2 mb-5 text-ink-quiet text-sm">
        <Badge tone={SETTLEMENT_LABELS[status].tone}>{SETTLEMENT_LABELS[status].word}</Badge>
        {settledOn === null ? 'No day of payout yet' : `Paid out ${formatDay(settledOn)}`} · {settlement.gatewayTitle} ·{' '}
        {settlement.accountLabel} · {settlement.merchantName}
      </p>
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
