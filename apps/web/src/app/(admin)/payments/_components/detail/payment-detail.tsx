'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useShowChange } from '#/app/(admin)/refunds/_components/use-refunds.ts';
import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
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
import { Timeline } from './timeline.tsx';

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
      <div className={classes.failed}>
        <Refusal message={query.error.message} />
        <Button onClick={() => void query.refetch()}>Try again</Button>
      </div>
    );
  }
  const payment = query.data;
  return (
    <article className={classes.detail} data-page={asPage}>
      <PaymentHead payment={payment} asPage={asPage} />
      <OpenMoney payment={payment} />
      <PaymentActions payment={payment} />
      <div className={classes.columns}>
        <div className={classes.money}>
          <Section title="Money">
            <MoneyFacts payment={payment} />
          </Section>
        </div>
        <div className={classes.main}>
          <Section title="Timeline">
            <Timeline payment={payment} />
          </Section>
          <Section title="Attempts" note={payment.attempts.length === 0 ? undefined : String(payment.attempts.length)}>
            <AttemptList payment={payment} />
          </Section>
          <Section title="Why this gateway">
            <DecisionView payment={payment} />
            <RoutingNow payment={payment} />
          </Section>
          <Section title="Webhooks">
            <PaymentMessages payment={payment} />
          </Section>
        </div>
        <div className={classes.details}>
          <Section title="Details">
            <PaymentFacts payment={payment} />
          </Section>
        </div>
        <div className={classes.notes}>
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
    <section className={classes.section}>
      <h2 className={classes.sectionTitle}>
        {title}
        {note !== undefined && <span className={classes.note}>{note}</span>}
      </h2>
      {children}
    </section>
  );
}
