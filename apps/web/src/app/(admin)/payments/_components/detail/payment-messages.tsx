'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { gatewayTitle } from '#/copy/gateways.ts';
import { DELIVERY_LABELS, describeAnswer } from '#/copy/webhooks.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import type { Payment } from './payment-head.tsx';

type Messages = RouterOutputs['payments']['messages'];
type Delivery = Messages['deliveries'][number];

const WATCHED_MS = 5_000;

/** The webhook deliveries of a payment, with the action to resend one, and the gateway webhooks about it. */
export function PaymentMessages({ payment }: { payment: Payment }) {
  const trpc = useTRPC();
  const open = payment.status === 'INITIATED' || payment.status === 'PENDING';
  const { data, error } = useQuery(
    trpc.payments.messages.queryOptions(
      { paymentId: payment.paymentId },
      {
        // Refetched while a delivery is pending or the payment is not final.
        refetchInterval: ({ state }) =>
          open || state.data?.deliveries.some((delivery) => delivery.state === 'PENDING') === true ? WATCHED_MS : false,
      },
    ),
  );
  if (error !== null) return <Refusal message={error.message} />;
  if (data === undefined) return null;
  return (
    <div className="grid gap-2">
      <h3 className="text-ink-quiet text-sm font-medium">To the merchant</h3>
      {data.deliveries.length === 0 && (
        <p className="text-ink-faint text-sm">
          No webhooks sent: no endpoint of the merchant subscribes to the events of this payment.
        </p>
      )}
      <ul className="grid gap-3 mb-2">
        {data.deliveries.map((delivery) => (
          <DeliveryLine key={delivery.deliveryId} delivery={delivery} payment={payment} />
        ))}
      </ul>
      <h3 className="text-ink-quiet text-sm font-medium">From the gateway</h3>
      {data.fromGateways.length === 0 && (
        <p className="text-ink-faint text-sm">No webhooks received from the gateway; the payment was verified by polling.</p>
      )}
      <ul className="grid gap-3 mb-2">
        {data.fromGateways.map(({ webhookId, gateway, event, deliveries, receivedAt }) => (
          <li key={webhookId} className="flex flex-wrap items-start justify-between gap-2">
            <span className="flex flex-[1_1_260px] flex-wrap items-center gap-x-2 gap-y-1 min-w-0 text-sm">
              {gatewayTitle(gateway)}: <code>{event}</code>
              {deliveries > 1 && <span className="text-ink-faint text-sm"> sent {deliveries} times</span>}
            </span>
            <span className="text-ink-faint text-sm">
              <Moment value={receivedAt} />
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

function DeliveryLine({ delivery, payment }: { delivery: Delivery; payment: Payment }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const can = useCan();
  const { merchantId, deliveryId, endpointId, url, type, state, attempts, lastStatus, lastFailure, deliveredAt, nextAttemptAt } =
    delivery;
  const resend = useMutation(
    trpc.webhooks.deliveries.resend.mutationOptions({
      onSuccess: async () => {
        showToast({ text: `Event ${type} is on its way to ${url} again.` });
        await queries.invalidateQueries(trpc.payments.messages.queryFilter({ paymentId: payment.paymentId }));
      },
    }),
  );
  const { word, tone } = DELIVERY_LABELS[state];
  const answer = state === 'DELIVERED' ? null : describeAnswer({ status: lastStatus, failure: lastFailure });
  return (
    <li className="flex flex-wrap items-start justify-between gap-2">
      <span className="flex flex-[1_1_260px] flex-wrap items-center gap-x-2 gap-y-1 min-w-0 text-sm">
        <Link href={hrefIn({ mode: payment.mode, merchantId }, `/webhooks/endpoints/${endpointId}`, { delivery: deliveryId })}>
          <code>{type}</code>
        </Link>{' '}
        <Badge tone={tone}>{word}</Badge>
        <span className="text-ink-faint text-sm">
          {attempts === 1 ? '1 attempt' : `${attempts} attempts`}
          {answer !== null && `, ${answer.startsWith('HTTP') ? answer : answer.charAt(0).toLowerCase() + answer.slice(1)}`}
          {deliveredAt !== null && (
            <>
              , <Moment value={deliveredAt} />
            </>
          )}
          {deliveredAt === null && nextAttemptAt !== null && (
            <>
              , retries <Moment value={nextAttemptAt} tense="upcoming" />
            </>
          )}
        </span>
        <Copyable text={url} label="endpoint" />
        {resend.error !== null && <Refusal message={resend.error.message} />}
      </span>
      {can('webhook:resend', merchantId) && (
        <Button loading={resend.isPending} onClick={() => resend.mutate({ merchantId, deliveryId })}>
          Resend
        </Button>
      )}
    </li>
  );
}
