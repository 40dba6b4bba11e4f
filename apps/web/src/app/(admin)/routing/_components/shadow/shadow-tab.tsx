'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useMemo, useState } from 'react';
import * as z from 'zod/mini';
import { StatusBadge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { MiddleCut } from '#/components/copyable/middle-cut.tsx';
import { type DataColumn, DataTable } from '#/components/data-table/data-table.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { formatMoney, groupDecimal } from '#/format/amounts.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { EditedDraft } from '../draft/use-draft.ts';
import type { LiveCheck } from '../queries/use-check.ts';
import { type LiveRouting, usePeople, useRoutingScope } from '../queries/use-routing.ts';
import moved from '../replay/moved-payments.module.css';
import replay from '../replay/replay-tab.module.css';
import { Figure } from '../replay/replay-tab.tsx';
import { labelIn, shareText, signedHundredths } from '../rules/copy.ts';
import classes from './shadow-tab.module.css';
import { describeShadowEnd, describeShadowResult, type ShadowReport, useShadow, useShadowActions } from './use-shadow.ts';

type Difference = RouterOutputs['routing']['drafts']['shadow']['differences']['items'][number];

/** How long a run can last, in hours. */
const LENGTHS = [
  { value: '1', label: '1 hour' },
  { value: '6', label: '6 hours' },
  { value: '24', label: '1 day' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
  { value: '336', label: '14 days' },
] as const;
const schema = z.object({
  hours: z.pipe(
    z.enum(['1', '6', '24', '72', '168', '336']),
    z.transform((text) => Number(text)),
  ),
});

const MEASURED = new Intl.NumberFormat('en', { maximumFractionDigits: 2, signDisplay: 'exceptZero' });

/** The draft beside live traffic: its run, what would have differed so far, and the payments behind it. */
export function ShadowTab({
  edited,
  live,
  check,
  may,
  onReview,
}: {
  edited: EditedDraft;
  live: LiveRouting;
  check: LiveCheck;
  may: boolean;
  onReview: () => void;
}) {
  const { data: report } = useShadow(edited.draft.draftId);
  const { busy, start, stop } = useShadowActions(edited);
  if (report === undefined) return <p className={replay.muted}>Loading</p>;
  const isRunning = report !== null && report.endedAt === null;
  return (
    <>
      {report !== null && <Run report={report} revision={edited.draft.revision} />}
      <div className="flex flex-wrap gap-2 items-center mb-4">
        {!isRunning && may && edited.draft.state === 'DRAFT' && (
          <Start again={report !== null} blocked={check.check === null || check.check.blocks} onStart={start} />
        )}
        {isRunning && may && (
          <Button loading={busy} onClick={() => void stop()}>
            Stop the shadow run
          </Button>
        )}
        {report !== null && (
          <Button variant="accent" onClick={onReview}>
            Review and publish
          </Button>
        )}
      </div>
      {report === null && (
        <p className={replay.muted}>
          {may
            ? 'In shadow, each new payment is also decided by this draft, without routing anything by it. Payments are not delayed or changed. You see how many would have gone elsewhere, at what fees, and with which expected success rate.'
            : 'This draft has not run in shadow. Owners and operators of this merchant can start it.'}
        </p>
      )}
      {report !== null && <Found report={report} live={live} draftId={edited.draft.draftId} />}
    </>
  );
}

function Start({
  again,
  blocked,
  onStart,
}: {
  again: boolean;
  blocked: boolean;
  onStart: (hours: number) => Promise<string | null>;
}) {
  const form = useForm({ schema, values: { hours: '24' }, onSubmit: ({ hours }) => onStart(hours) });
  return (
    <Form form={form} warns={false}>
      <form.Select name="hours" label="Run for" labelPlace="inside" options={LENGTHS} />
      <SubmitButton variant={again ? 'plain' : 'accent'} disabled={blocked}>
        {again ? 'Run in shadow again' : 'Start shadow run'}
      </SubmitButton>
      {blocked && <span className={replay.muted}>Fix the errors on the Rules tab first.</span>}
      <FormRefusal small />
    </Form>
  );
}

function Run({ report, revision }: { report: ShadowReport; revision: number }) {
  const { nameOf } = usePeople();
  const { startedAt, startedBy, endsAt, endedAt, draftRevision } = report;
  return (
    <div className="grid gap-0.5 mb-4" role="status">
      <p className={classes.state} data-running={endedAt === null}>
        {endedAt === null ? (
          <>
            Running in shadow, ends <Moment value={endsAt} />
          </>
        ) : (
          <>
            Ended <Moment value={endedAt} />. {describeShadowEnd(report)}
          </>
        )}
      </p>
      <p className={replay.muted}>
        Started <Moment value={startedAt} /> by {nameOf(startedBy)}.
        {draftRevision !== revision && report.ended === 'SAVED' && ' The figures are of the draft as it was before the change.'}
      </p>
      <p>{describeShadowResult(report.summary)}</p>
    </div>
  );
}

/** The figures of a run, and the payments behind them. */
function Found({ report: { summary }, live, draftId }: { report: ShadowReport; live: LiveRouting; draftId: string }) {
  const { payments, same, reordered, moved: elsewhere, unreadable, moves, fees, conversion } = summary;
  const nameOf = (accountId: string | null) => (accountId === null ? 'no account' : labelIn(live.accounts, accountId));
  if (payments === 0) return <p className={replay.muted}>Differences appear here within seconds of each new payment.</p>;
  const share = (part: number) => shareText(part, payments) ?? '';
  return (
    <>
      <dl className="flex flex-wrap gap-x-10 gap-y-4 mb-4">
        <Figure
          name="Payments"
          value={payments.toLocaleString('en')}
          note={unreadable > 0 ? `${unreadable} more could not be read` : 'decided in shadow'}
        />
        <Figure name="Same decision" value={same.toLocaleString('en')} note={share(same)} />
        <Figure name="Change first gateway" value={elsewhere.toLocaleString('en')} note={share(elsewhere)} strong />
        <Figure name="Change fallbacks only" value={reordered.toLocaleString('en')} note={share(reordered)} />
        {fees.map(({ currency, difference, compared }) => (
          <Figure
            key={currency}
            name={`Fees, ${currency}`}
            value={compared === 0 ? '–' : signedHundredths(difference)}
            note={compared === 0 ? 'no fee schedule to compare' : `on ${groupDecimal(BigInt(compared))} paid payments`}
          />
        ))}
        <Figure
          name="Success rate, estimated"
          value={conversion.covered === 0 ? '–' : `${MEASURED.format(conversion.difference * 100)} pp`}
          note={conversion.message}
        />
      </dl>
      {moves.length > 0 && <MovesTable moves={moves} nameOf={nameOf} />}
      {elsewhere > 0 && <Differences draftId={draftId} count={elsewhere} nameOf={nameOf} />}
    </>
  );
}

/** Payments that would have gone elsewhere, newest first, each linked to its page. */
function Differences({
  draftId,
  count,
  nameOf,
}: {
  draftId: string;
  /** How many there are so far: a new one loads the list again. */
  count: number;
  nameOf: (accountId: string | null) => string;
}) {
  const trpc = useTRPC();
  const { merchantId } = useRoutingScope();
  const options = trpc.routing.drafts.shadow.differences.infiniteQueryOptions(
    { merchantId, draftId, limit: 20 },
    { getNextPageParam: (page) => page.next ?? undefined },
  );
  const { data, hasNextPage, fetchNextPage, isFetching, refetch } = useInfiniteQuery(options);
  const [seen, setSeen] = useState(count);
  if (seen !== count) {
    setSeen(count);
    void refetch();
  }
  const rows = useMemo(() => data?.pages.flatMap(({ items }) => items) ?? [], [data]);
  const columns = useColumns(nameOf);
  return (
    <section className="mt-7" aria-labelledby="differences">
      <div className="flex gap-4 items-center justify-between min-h-8">
        <h2 id="differences" className="text-lg font-semibold tracking-[-0.005em]">
          Payments that would have gone elsewhere
        </h2>
      </div>
      {rows.length > 0 && (
        <DataTable
          label="Payments that would have gone elsewhere"
          name="shadow-differences"
          columns={columns}
          rows={rows}
          rowKey={({ paymentId }) => paymentId}
        />
      )}
      {hasNextPage && (
        <p className="py-3 text-ink-faint text-sm">
          <Button loading={isFetching} onClick={() => void fetchNextPage()}>
            Load more
          </Button>
        </p>
      )}
    </section>
  );
}

function useColumns(nameOf: (accountId: string | null) => string): DataColumn<Difference>[] {
  const scope = useRoutingScope();
  return useMemo(
    () => [
      {
        id: 'order',
        header: 'Order',
        fixed: true,
        className: 'card:area-main',
        cell: ({ paymentId, merchantOrderId }) => (
          <Link href={hrefIn(scope, `/payments/${paymentId}`)} aria-label={merchantOrderId}>
            <MiddleCut text={merchantOrderId} />
          </Link>
        ),
      },
      {
        id: 'amount',
        header: 'Amount',
        className: moved.amount,
        cell: ({ currency, amount }) => formatMoney(currency, amount),
      },
      {
        id: 'method',
        header: 'Method',
        className: '@max-[759px]/room:hidden',
        cell: ({ method }) => methodTitle(method),
      },
      {
        id: 'status',
        header: 'Status',
        className: '@max-[759px]/room:hidden',
        cell: ({ status }) => <StatusBadge status={status} />,
      },
      { id: 'from', header: 'Went to', className: 'card:[grid-area:auto]', cell: ({ liveAccountId }) => nameOf(liveAccountId) },
      { id: 'to', header: 'Draft', className: 'card:[grid-area:auto]', cell: ({ accountId }) => nameOf(accountId) },
      {
        id: 'created',
        header: 'Created',
        className: 'card:[grid-area:auto]',
        cell: ({ createdAt }) => <Moment value={createdAt} />,
      },
    ],
    [nameOf, scope],
  );
}

/** Payments that a draft in shadow would have moved, split by how they ended. */
function MovesTable({
  moves,
  nameOf,
}: {
  moves: ShadowReport['summary']['moves'];
  nameOf: (accountId: string | null) => string;
}) {
  return (
    <div className="relative max-w-[900px] mt-2 mb-5 overflow-x-auto">
      <table className="figures-table whitespace-nowrap [--row:36px]">
        <caption className="sr-only">Payments that change their first account, by outcome</caption>
        <thead>
          <tr>
            <th scope="col">Moves</th>
            <th scope="col">Payments</th>
            <th scope="col">Succeeded</th>
            <th scope="col">Failed</th>
            <th scope="col">Pending</th>
          </tr>
        </thead>
        <tbody>
          {moves.map(({ from, to, payments, outcomes }) => (
            <tr key={`${from}>${to}`}>
              <th scope="row">
                {nameOf(from)} → {nameOf(to)}
              </th>
              <td>{payments.toLocaleString('en')}</td>
              <td>{outcomes.paid.toLocaleString('en')}</td>
              <td>{outcomes.unpaid.toLocaleString('en')}</td>
              <td>{outcomes.open.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
