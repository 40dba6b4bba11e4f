'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useShowChange } from '#/app/(admin)/refunds/_components/use-refunds.ts';
import { RememberOpened } from '#/app-shell/commands/recent/remember-opened.tsx';
import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { Timeline } from '#/components/timeline/timeline.tsx';
import { buildTimeline } from '#/copy/timeline.ts';
import { formatMoney } from '#/format/amounts.ts';
import { viewerZone } from '#/format/zone.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { PaymentActions } from '../actions/payment-actions.tsx';
import { watchInterval } from '../actions/watch-payment.ts';
import { DecisionView } from '../decision/decision-view.tsx';
import { RoutingNow } from '../decision/routing-now.tsx';
import { OpenMoney } from '../open-money/open-money.tsx';
import { AttemptList } from './attempt-list.tsx';
import classes from './payment-detail.module.css';
import { PaymentDetailSkeleton } from './payment-detail-skeleton.tsx';
import { MoneyFacts, PaymentFacts } from './payment-facts.tsx';
import { PaymentHead } from './payment-head.tsx';
import { PaymentMessages } from './payment-messages.tsx';
import { PaymentNotes } from './payment-notes.tsx';

/** One payment. While it is not final or has a refund in progress, it is refetched every few seconds. */
export function PaymentDetail({ paymentId, asPage = false }: { paymentId: string; asPage?: boolean }) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.payments.byId.queryOptions(
      { paymentId, zone: viewerZone() },
      { refetchInterval: ({ state }) => (state.data === undefined ? false : watchInterval(state.data, Date.now())) },
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
