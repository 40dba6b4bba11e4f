'use client';

import { paymentNote } from '@switchyard/api/entered-fields';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import * as z from 'zod/mini';
import { useShowChange } from '#/app/(admin)/refunds/_components/use-refunds.ts';
import { RememberOpened } from '#/app-shell/commands/recent/remember-opened.tsx';
import { serverNow } from '#/clock/server-clock.ts';
import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { Timeline } from '#/components/timeline/timeline.tsx';
import { buildTimeline } from '#/copy/timeline.ts';
import { formatMoney } from '#/format/amounts.ts';
import { viewerZone } from '#/format/zone.ts';
import { Form, FormRefusal, SubmitButton } from '#/forms/form.tsx';
import { useForm } from '#/forms/use-form.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { PaymentActions, watchInterval } from '../actions/payment-actions.tsx';
import { DecisionView, RoutingNow } from '../decision/decision-view.tsx';
import { OpenMoney } from '../open-money/open-money.tsx';
import { AttemptList } from './attempt-list.tsx';
import classes from './payment-detail.module.css';
import { MoneyFacts, PaymentFacts } from './payment-facts.tsx';
import { type Payment, PaymentHead } from './payment-head.tsx';
import { PaymentMessages } from './payment-messages.tsx';

/** One payment. While it is not final or has a refund in progress, it is refetched every few seconds. */
export function PaymentDetail({ paymentId, asPage = false }: { paymentId: string; asPage?: boolean }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.payments.byId.queryOptions(
      { paymentId, zone: viewerZone() },
      { refetchInterval: ({ state }) => (state.data === undefined ? false : watchInterval(state.data, serverNow())) },
    ),
  );
  useRefetchOnChange(query.data?.updatedAt);
  if (query.data === undefined) {
    if (!query.isError) return <PaymentDetailSkeleton />;
    return (
      <div className="grid gap-4 justify-items-start py-4 px-6">
        <Refusal message={query.error.message} />
        <Button onClick={() => void query.refetch()}>Try again</Button>
      </div>
    );
  }
  const payment = query.data;
  return (
    <article
      className="@container/detail px-6 pt-1 pb-16 data-[page=true]:max-w-[1440px] data-[page=true]:p-0 max-tablet:px-4 max-tablet:pt-1 max-tablet:pb-16"
      data-page={asPage}
    >
      <RememberOpened
        kind="payment"
        id={paymentId}
        title={`${payment.merchantOrderId}, ${formatMoney(payment.currency, payment.amount)}`}
        mode={payment.mode}
        merchantId={payment.merchantId}
      />
      <PaymentHead payment={payment} asPage={asPage} />
      <OpenMoney payment={payment} />
      <PaymentActions payment={payment} />
      <div className={classes.columns}>
        <div className="@min-[960px]/detail:[grid-area:money]">
          <Section title="Money">
            <MoneyFacts payment={payment} />
          </Section>
        </div>
        <div className="@min-[960px]/detail:area-main @min-[960px]/detail:min-w-0">
          <Section title="Timeline">
            <Timeline
              steps={buildTimeline(payment.timeline, payment.attempts, payment.people)}
              timeOf={(at) => <Moment value={at} />}
            />
          </Section>
          <Section title="Attempts" note={payment.attempts.length === 0 ? undefined : String(payment.attempts.length)}>
            <AttemptList payment={payment} />
          </Section>
          <Section title="Routing decision">
            <DecisionView payment={payment} />
            <RoutingNow payment={payment} />
          </Section>
          <Section title="Webhooks">
            <PaymentMessages payment={payment} />
          </Section>
        </div>
        <div className="@min-[960px]/detail:[grid-area:details]">
          <Section title="Details">
            <PaymentFacts payment={payment} />
          </Section>
        </div>
        <div className="@min-[960px]/detail:[grid-area:notes]">
          <Section title="Notes">
            <PaymentNotes payment={payment} />
          </Section>
        </div>
      </div>
    </article>
  );
}

/** Refetches the other views of a payment once it has changed. */
function useRefetchOnChange(updatedAt: Date | undefined): void {
  const showChange = useShowChange();
  const shown = useRef(updatedAt?.getTime());
  useEffect(() => {
    const now = updatedAt?.getTime();
    const changed = shown.current !== undefined && shown.current !== now;
    shown.current = now;
    if (changed) void showChange();
  }, [updatedAt, showChange]);
}

function Section({ title, note, children }: { title: string; note?: string | undefined; children: React.ReactNode }) {
  return (
    <section className="pt-5 pb-1 border-t border-line mt-6">
      <h2 className="flex items-baseline gap-2 mb-4 text-lg font-semibold tracking-[-0.005em]">
        {title}
        {note !== undefined && <span className="text-ink-faint text-sm font-normal">{note}</span>}
      </h2>
      {children}
    </section>
  );
}

/** Placeholder of a payment while it loads. */
function PaymentDetailSkeleton({ asPage = false }: { asPage?: boolean }) {
  return (
    <div
      className={`grid gap-2.5 ${asPage ? 'max-w-[1440px] pt-7' : 'max-w-[760px] px-6 pt-1 pb-16'}`}
      role="status"
      aria-label="Loading the payment"
    >
      <span className="w-[200px] h-6.5 rounded-[3px] bg-ground-hover" />
      <span className="w-[46%] h-3 rounded-[3px] bg-ground-hover" />
      <span className="w-[46%] h-3 rounded-[3px] bg-ground-hover" />
      {[0, 1, 2].map((section) => (
        <div key={section} className="grid gap-3.5 mt-4.5 pt-5.5 border-t border-line">
          <span className="w-[140px] h-4 mb-1 rounded-[3px] bg-ground-hover" />
          {[0, 1, 2, 3].map((line) => (
            <span key={line} className="h-3 rounded-[3px] bg-ground-hover" style={{ width: `${88 - line * 9}%` }} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** The staff notes on a payment, and a form for another. */
export function PaymentNotes({ payment }: { payment: Payment }) {
  const trpc = useTRPC();
  const can = useCan();
  const { paymentId } = payment;
  const { data: notes, error } = useQuery(trpc.payments.notes.queryOptions({ paymentId }));
  const mayWrite = can('payment:verify', payment.merchantId);
  return (
    <div className="grid gap-4">
      {mayWrite && <NoteForm paymentId={paymentId} />}
      {error !== null && <Refusal message={error.message} />}
      {notes?.length === 0 && <p className="text-ink-faint text-sm">No notes yet. Only your team sees notes.</p>}
      {notes !== undefined && notes.length > 0 && (
        <ul className="grid gap-3">
          {notes.map(({ noteId, text, authorName, createdAt }) => (
            <li key={noteId}>
              <p className="text-base wrap-anywhere whitespace-pre-wrap">{text}</p>
              <p className="text-ink-faint text-xs">
                {authorName ?? 'Former team member'}, <Moment value={createdAt} />
              </p>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

const schema = z.object({ text: paymentNote });

/** Adds a note to a payment. */
export function NoteForm({ paymentId }: { paymentId: string }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const add = useMutation(trpc.payments.addNote.mutationOptions());
  const form = useForm({
    schema,
    values: { text: '' },
    async onSubmit({ text }) {
      await add.mutateAsync({ paymentId, text });
      form.discard();
      await queries.invalidateQueries(trpc.payments.notes.queryFilter({ paymentId }));
      return null;
    },
  });
  return (
    <Form form={form} className="grid gap-2 justify-items-start [&>:first-child]:w-full">
      <form.Area name="text" label="Add a note" maxLength={2_000} />
      <FormRefusal small />
      <SubmitButton variant="plain" disabled={form.entered.text.trim() === ''}>
        Save note
      </SubmitButton>
    </Form>
  );
}
