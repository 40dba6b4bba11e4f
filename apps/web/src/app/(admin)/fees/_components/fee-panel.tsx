'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { Refusal } from '#/components/page/refusal.tsx';
import { numberCell, PlainTable, textCell } from '#/components/plain-table/plain-table.tsx';
import { PanelSkeleton, SidePanel } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { describeException, describeStep, type ExplainedFee } from '#/copy/fees.ts';
import { methodTitle } from '#/copy/gateways.ts';
import { formatDecimal, formatMoney } from '#/format/amounts.ts';
import { formatDay } from '#/format/calendar.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { FeesFilters } from '../filters.ts';
import { useFees } from './use-fees.ts';

/** The fee of one payment beside the list: how it is computed, and what was charged. */
export function FeePanel({
  paymentId,
  filters,
  onOpen,
  onClose,
}: {
  paymentId: string;
  filters: FeesFilters;
  onOpen: (paymentId: string) => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { rows } = useFees(filters);
  const { data, error } = useQuery(trpc.fees.ofPayment.queryOptions({ paymentId }));
  return (
    <SidePanel
      label="Fee"
      steps={{ id: paymentId, ids: rows.map((row) => row.paymentId), words: ['Previous fee', 'Next fee'], onOpen }}
      from={['data-fee', paymentId]}
      onClose={onClose}
    >
      <Refusal message={error?.message ?? null} />
      {data === undefined && error === null && <PanelSkeleton label="Loading the fee" />}
      {data !== undefined && <Whole fee={data} />}
    </SidePanel>
  );
}

function Whole({ fee }: { fee: ExplainedFee }) {
  const { mode } = useScope();
  const { merchantId, currency, amount, expected, reported, settled, charged, excess, contract } = fee;
  const within = { mode, merchantId };
  const money = (decimal: string) => formatMoney(currency, decimal);
  return (
    <>
      <div>
        <p className="text-ink-quiet">
          {fee.merchantName} · {fee.accountLabel}
        </p>
        <h2 className="mt-0.5 mb-1 text-[18px] font-semibold">
          {excess.startsWith('-') || excess === '0' ? 'Fee' : `Overcharged by ${money(excess)}`}
        </h2>
        <p className="text-ink-quiet">
          {money(amount)}
          {fee.method !== null && `, ${methodTitle(fee.method)}`}
          {contract?.origin === 'international' && ', international'}
        </p>
      </div>
      {contract === null ? (
        <p className="text-ink-quiet">No contract applied when it was paid, so its fee is not compared.</p>
      ) : (
        <Computation fee={fee} contract={contract} />
      )}
      <DescriptionList>
        <Description name="By contract">{expected === null ? null : money(expected)}</Description>
        <Description name="Reported">{reported === null ? 'Not reported' : money(reported)}</Description>
        <Description name="Settled">{settled === null ? 'Not settled yet' : money(settled)}</Description>
        <Description name="Difference" strong>
          {charged === null || expected === null ? null : formatMoney(currency, excess)}
        </Description>
        <Description name="Tolerance">{contract === null ? null : money(contract.tolerance)}</Description>
        <Description name="Paid">
          <Moment value={fee.paidAt} />
        </Description>
        <Description name="Settled on">{fee.settledOn === null ? null : formatDay(fee.settledOn)}</Description>
        <Description name="Payment">
          <Link href={hrefIn(within, `/payments/${fee.paymentId}`)} prefetch={false}>
            {fee.merchantOrderId ?? 'Open the payment'}
          </Link>
        </Description>
        <Description name="Settlement">
          {fee.settlementId === null ? null : (
            <Link href={hrefIn(within, `/settlements/${fee.settlementId}`)} prefetch={false}>
              Open the settlement
            </Link>
          )}
        </Description>
        <Description name="Case">
          {fee.discrepancyId === null ? null : (
            <Link
              href={hrefIn(within, '/settlements', { view: 'discrepancies', state: 'all', discrepancy: fee.discrepancyId })}
              prefetch={false}
            >
              Assign, note or resolve
            </Link>
          )}
        </Description>
      </DescriptionList>
    </>
  );
}

function Computation({ fee, contract }: { fee: ExplainedFee; contract: NonNullable<ExplainedFee['contract']> }) {
  const { steps, exception, appliesFrom } = contract;
  return (
    <section aria-label="Computation">
      <p className="mb-2 text-ink-quiet text-sm">
        Contract since <Moment value={appliesFrom} />
        {exception !== null && isException(contract.terms) && `: ${describeException(contract.terms)}`}
      </p>
      <PlainTable label="Computation" columns={[{ title: 'Step' }, { title: `Amount, ${fee.currency}`, number: true }]}>
        <tbody {...roles.group}>
          {steps.map((step) => (
            <tr key={step.step} {...roles.row}>
              <td {...textCell('Step')}>{describeStep(step, contract)}</td>
              <td {...numberCell('Amount')}>{formatDecimal(fee.currency, step.amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot {...roles.group}>
          <tr {...roles.row} className="font-semibold">
            <td {...textCell('Step')}>By contract</td>
            <td {...numberCell('Amount')}>{formatDecimal(fee.currency, fee.expected ?? '0')}</td>
          </tr>
          <tr {...roles.row}>
            <td {...textCell('Step')}>Charged</td>
            <td {...numberCell('Amount')}>{fee.charged === null ? 'Not known' : formatDecimal(fee.currency, fee.charged)}</td>
          </tr>
        </tfoot>
      </PlainTable>
    </section>
  );
}

function isException(terms: object): terms is Parameters<typeof describeException>[0] {
  return 'methods' in terms && 'origin' in terms && 'amount' in terms;
}
