'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { EndpointRow } from '#/app/(admin)/webhooks/_components/endpoint-badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { JsonView } from '#/components/copyable/json-view.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { PanelPart, PanelSkeleton, SidePanel } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeAnswer, EVENT_LABELS } from '#/copy/webhooks.ts';
import { describeLength } from '#/format/moments.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import { DeliveryBadge } from './deliveries.tsx';

type DeliveryDetail = RouterOutputs['webhooks']['deliveries']['byId'];

/** One delivery: its payload, and the result of each attempt. Escape closes it. */
export function DeliveryPanel({
  endpoint,
  deliveryId,
  onDone,
  onClose,
}: {
  endpoint: EndpointRow;
  deliveryId: string;
  onDone: () => void;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const { merchantId } = endpoint;
  const { data, error } = useQuery(
    trpc.webhooks.deliveries.byId.queryOptions(
      { merchantId, deliveryId },
      { refetchInterval: ({ state }) => (state.data?.state === 'PENDING' ? 1_000 : 10_000) },
    ),
  );
  return (
    <SidePanel
      label="Delivery"
      title={data === undefined ? 'Delivery' : (EVENT_LABELS[data.type]?.label ?? data.type)}
      from={['data-delivery', deliveryId]}
      onClose={onClose}
    >
      {error !== null && data === undefined && <Refusal message={error.message} />}
      {error === null && data === undefined && <PanelSkeleton label="Loading the delivery" />}
      {data !== undefined && <DeliveryTimeline delivery={data} endpoint={endpoint} onDone={onDone} />}
    </SidePanel>
  );
}

function DeliveryTimeline({
  delivery,
  endpoint,
  onDone,
}: {
  delivery: DeliveryDetail;
  endpoint: EndpointRow;
  onDone: () => void;
}) {
  const trpc = useTRPC();
  const can = useCan();
  const scope = useScope();
  const { merchantId } = endpoint;
  const { deliveryId, state, eventId, paymentId, nextAttemptAt, attemptLog } = delivery;
  const resend = useMutation(trpc.webhooks.deliveries.resend.mutationOptions());

  async function again() {
    const outcome = await resend.mutateAsync({ merchantId, deliveryId });
    onDone();
    if (outcome.kind === 'switched_off') showToast({ text: 'Nothing is sent to a disabled endpoint.', tone: 'bad' });
  }

  return (
    <>
      <p className="flex flex-wrap gap-x-2.5 gap-y-1 items-center mb-3">
        <DeliveryBadge state={state} />
        {state === 'PENDING' && nextAttemptAt !== null && (
          <span className="text-ink-faint text-xs">
            {attemptLog.length === 0 ? 'First attempt ' : 'Next attempt '}
            <Moment value={nextAttemptAt} tense="upcoming" />
          </span>
        )}
      </p>
      {can('webhook:resend', merchantId) && endpoint.enabled && (
        <Button
          loading={resend.isPending}
          onClick={() => void again().catch((error: Error) => showToast({ text: error.message, tone: 'bad' }))}
        >
          {state === 'PENDING' ? 'Retry now' : 'Resend'}
        </Button>
      )}
      <DescriptionList>
        <Description name="Event">
          <Copyable text={eventId} label="event id" />
        </Description>
        <Description name="Type">
          <code>{delivery.type}</code>
        </Description>
        {paymentId !== null && (
          <Description name="Payment">
            <Link href={hrefIn(scope, `/payments/${paymentId}`)}>{paymentId}</Link>
          </Description>
        )}
        <Description name="Happened">
          <Moment value={delivery.happenedAt} />
        </Description>
        <Description name="Delivered">
          {delivery.deliveredAt === null ? null : <Moment value={delivery.deliveredAt} />}
        </Description>
      </DescriptionList>
      <PanelPart title={attemptLog.length === 1 ? '1 attempt' : `${attemptLog.length} attempts`} label="Attempts">
        {attemptLog.length === 0 && <p className="text-ink-faint text-xs">Nothing has been sent yet.</p>}
        <ol className="grid gap-3.5 text-sm">
          {attemptLog.map((one) => (
            <li
              key={one.number}
              className="pl-3 border-l-3 border-bad data-[delivered=true]:border-l-good"
              data-delivered={one.delivered}
            >
              <p className="flex flex-wrap gap-x-3 gap-y-0.5 items-baseline justify-between">
                <strong>{describeAnswer(one)}</strong>
                <span className="text-ink-faint text-xs">
                  <Moment value={one.startedAt} />, took {describeLength(one.durationMs)}
                </span>
              </p>
              {one.answer !== null && one.answer !== '' && (
                <pre className="max-h-[160px] mt-1.5 py-2 px-2.5 overflow-auto rounded-sm bg-ground-quiet text-xs whitespace-pre-wrap wrap-anywhere">
                  {one.answer}
                </pre>
              )}
              {one.url !== endpoint.url && <p className="text-ink-faint text-xs">Sent to {one.url}</p>}
            </li>
          ))}
        </ol>
      </PanelPart>
      <PanelPart title="Payload">
        <JsonView text={delivery.body} label="the payload" />
      </PanelPart>
    </>
  );
}
