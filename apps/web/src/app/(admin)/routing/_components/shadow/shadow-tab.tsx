'use client';

import { useState } from 'react';
import * as z from 'zod/mini';
import { Button } from '#/components/button/button.tsx';
import { useNounList } from '#/components/list/use-noun-list.ts';
import { Moment } from '#/components/time/moment.tsx';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { EditedDraft } from '../draft/use-draft.ts';
import { MovedPayments } from '../moves/moved-payments.tsx';
import { WhatMoves } from '../moves/what-moves.tsx';
import type { LiveCheck } from '../queries/use-check.ts';
import { type LiveRouting, usePeople, useRoutingScope } from '../queries/use-routing.ts';
import { describeShadowEnd, describeShadowResult, type ShadowReport, useShadow, useShadowActions } from './use-shadow.ts';

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
  if (report === undefined) return <p className="max-w-[90ch] text-ink-faint text-sm">Loading</p>;
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
        <p className="max-w-[90ch] text-ink-faint text-sm">
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
      {blocked && <span className="max-w-[90ch] text-ink-faint text-sm">Fix the errors on the Rules tab first.</span>}
      <FormRefusal small />
    </Form>
  );
}

function Run({ report, revision }: { report: ShadowReport; revision: number }) {
  const { nameOf } = usePeople();
  const { startedAt, startedBy, endsAt, endedAt, draftRevision } = report;
  return (
    <div className="grid gap-0.5 mb-4" role="status">
      <p className="flex gap-2 items-center text-lg font-semibold tracking-[-0.005em]">
        {endedAt === null && <i className="flex-none size-2.5 rounded-full bg-accent" aria-hidden="true" />}
        {endedAt === null ? (
          <>
            Running in shadow, ends <Moment value={endsAt} tense="upcoming" />
          </>
        ) : (
          <>
            Ended <Moment value={endedAt} />. {describeShadowEnd(report)}
          </>
        )}
      </p>
      <p className="max-w-[90ch] text-ink-faint text-sm">
        Started <Moment value={startedAt} /> by {nameOf(startedBy)}.
        {draftRevision !== revision && report.ended === 'SAVED' && ' The figures are of the draft as it was before the change.'}
      </p>
      <p>{describeShadowResult(report.summary)}</p>
    </div>
  );
}

/** The figures of a run, and the payments behind them. */
function Found({ report: { summary }, live, draftId }: { report: ShadowReport; live: LiveRouting; draftId: string }) {
  const { payments, moved, reordered, unreadable } = summary;
  if (payments === 0)
    return <p className="max-w-[90ch] text-ink-faint text-sm">Differences appear here within seconds of each new payment.</p>;
  const note = `${(payments - moved - reordered).toLocaleString('en')} decided the same${unreadable > 0 ? `, ${unreadable} more could not be read` : ''}`;
  return (
    <WhatMoves result={summary} counted={['Payments', note]} accounts={live.accounts}>
      <Differences draftId={draftId} count={moved} accounts={live.accounts} />
    </WhatMoves>
  );
}

/** The payments that would have gone elsewhere. */
function Differences({
  draftId,
  count,
  accounts,
}: {
  draftId: string;
  /** How many there are so far: a new one loads the list again. */
  count: number;
  accounts: LiveRouting['accounts'];
}) {
  const trpc = useTRPC();
  const { merchantId } = useRoutingScope();
  const list = useNounList(
    trpc.routing.drafts.shadow.differences.infiniteQueryOptions(
      { merchantId, draftId, limit: 20 },
      { getNextPageParam: (page) => page.next ?? undefined },
    ),
  );
  const [seen, setSeen] = useState(count);
  if (seen !== count) {
    setSeen(count);
    list.refetch();
  }
  return (
    <MovedPayments title="Payments that would have gone elsewhere" name="shadow-differences" list={list} accounts={accounts} />
  );
}
