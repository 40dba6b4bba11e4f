'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { MonthState } from '#/app/(admin)/month-close/_components/month-state.tsx';
import { Button } from '#/components/button/button.tsx';
import { ChooseMerchant } from '#/components/choose-merchant/choose-merchant.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { saveFile } from '#/components/export-button/download.ts';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import type { Month } from '#/copy/accounting.ts';
import { describeMonth } from '#/format/calendar.ts';
import { formatTimestamp } from '#/format/moments.ts';
import { failureText } from '#/forms/failure-text.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { AdjustmentsSection, BalanceTable, UnexplainedSection } from './balance-sections.tsx';
import { LateArrivalsSection } from './late-arrivals-section.tsx';

const CloseDialog = dynamic(() => import('./month-dialogs.tsx').then((module) => module.CloseDialog));
const ReviewDialog = dynamic(() => import('./month-dialogs.tsx').then((module) => module.ReviewDialog));
const SignDialog = dynamic(() => import('./month-dialogs.tsx').then((module) => module.SignDialog));

/** One month: its figures, frozen once it is closed, what it leaves unexplained, what has changed since, and its sign-off. Prints well. */
export function MonthPage({ month }: { month: string }) {
  const trpc = useTRPC();
  const scope = useScope();
  const { merchantId, mode } = scope;
  const { data } = useQuery(
    trpc.monthClose.read.queryOptions({ merchantId: merchantId ?? '', mode, month }, { enabled: merchantId !== null }),
  );
  return (
    <>
      <BackLink href={hrefIn(scope, '/month-close')}>Month close</BackLink>
      {merchantId === null && (
        <>
          <PageHead title={describeMonth(month)} />
          <ChooseMerchant path={`/month-close/${month}`} why="A month is closed for each merchant." figure="discrepancies" />
        </>
      )}
      {data !== undefined && <MonthOf month={data} />}
    </>
  );
}

function MonthOf({ month }: { month: Month }) {
  const { state, figures, close, merchantName, merchantNumber, mode, timeZone } = month;
  const currencies = figures.totals.map(({ currency }) => currency);
  return (
    <>
      <PageHead title={describeMonth(month.month)}>
        <Actions month={month} />
      </PageHead>
      <p className="flex flex-wrap gap-x-3 gap-y-1 items-center -mt-2 mb-5 text-ink-quiet text-sm">
        <MonthState state={state} />
        {merchantName} · {merchantNumber} · {mode === 'live' ? 'Live' : 'Test'} · days of {timeZone.replaceAll('_', ' ')}
        {close === null && ' · figures as of now'}
      </p>
      {currencies.length === 0 && <p className="mb-6 text-ink-quiet">Nothing was paid, refunded or paid out in this month.</p>}
      {currencies.map((currency) => (
        <BalanceTable key={currency} currency={currency} figures={figures} />
      ))}
      {close !== null && <SignOffFacts close={close} />}
      {close !== null && <AdjustmentsSection adjustments={close.adjustments} closedAt={close.closed.at} />}
      {close !== null && <LateArrivalsSection month={month} close={close} />}
      <UnexplainedSection month={month} />
    </>
  );
}

function Actions({ month }: { month: Month }) {
  const can = useCan();
  const [dialog, setDialog] = useState<'close' | 'review' | 'sign' | null>(null);
  const { save, isSaving } = useMonthFile(month);
  const { merchantId, state, close } = month;
  const mayClose = can('month:close', merchantId);
  const onClose = () => setDialog(null);
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      {close !== null && can('report:export', merchantId) && (
        <>
          <Button loading={isSaving} onClick={() => void save('json')}>
            JSON
          </Button>
          <Button loading={isSaving} onClick={() => void save('csv')}>
            CSV
          </Button>
        </>
      )}
      <Button onClick={() => window.print()}>Print</Button>
      {mayClose && state === 'closed' && close !== null && close.reviewed === null && (
        <Button onClick={() => setDialog('review')}>Review…</Button>
      )}
      {mayClose && state === 'closed' && (
        <Button variant="accent" onClick={() => setDialog('sign')}>
          Sign off…
        </Button>
      )}
      {mayClose && state === 'ended' && (
        <Button variant="accent" onClick={() => setDialog('close')}>
          Close month…
        </Button>
      )}
      {dialog === 'close' && <CloseDialog month={month} onClose={onClose} />}
      {dialog === 'review' && close !== null && <ReviewDialog month={month} hash={close.hash} onClose={onClose} />}
      {dialog === 'sign' && close !== null && <SignDialog month={month} close={close} onClose={onClose} />}
    </div>
  );
}

/** Names of who closed, reviewed and signed the month, when, and the hash of what they saw. */
function SignOffFacts({ close }: { close: NonNullable<Month['close']> }) {
  const { closed, reviewed, signed, hash } = close;
  return (
    <section aria-label="Sign-off" className="mb-8 max-w-[720px] break-inside-avoid">
      <h2 className="mb-1 text-base font-semibold">Sign-off</h2>
      <DescriptionList>
        <Description name="Closed">{describe(closed)}</Description>
        <Description name="Reviewed">{reviewed === null ? 'Not reviewed' : describe(reviewed)}</Description>
        {reviewed !== null && reviewed.note !== '' && <Description name="Review note">{reviewed.note}</Description>}
        <Description name="Signed off" strong>
          {signed === null ? 'Not signed off' : describe(signed)}
        </Description>
        <Description name="SHA-256">
          <Copyable text={hash} label="hash" whole />
        </Description>
      </DescriptionList>
    </section>
  );
}

function describe({ name, at }: { readonly name: string | null; readonly at: Date }): string {
  return `${formatTimestamp(at)}, ${name ?? 'by the system'}`;
}

const TYPES = { json: 'application/json', csv: 'text/csv;charset=utf-8' } as const;

/** Saves the frozen bytes of a month as a file, as they were hashed. */
function useMonthFile({ merchantId, mode, month }: Month) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const [isSaving, setIsSaving] = useState(false);
  async function save(format: keyof typeof TYPES) {
    setIsSaving(true);
    try {
      const file = await queries.fetchQuery(trpc.monthClose.file.queryOptions({ merchantId, mode, month, format }));
      saveFile(new Blob([file.content], { type: TYPES[format] }), file.name);
    } catch (error) {
      showToast({ text: failureText(error) });
    } finally {
      setIsSaving(false);
    }
  }
  return { save, isSaving };
}
