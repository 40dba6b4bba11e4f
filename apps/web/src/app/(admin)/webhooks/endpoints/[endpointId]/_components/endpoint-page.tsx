'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useRouter } from 'next/navigation';
import { useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { EndpointBadge, type EndpointRow, shareOf } from '#/app/(admin)/webhooks/_components/endpoint-badge.tsx';
import { RememberOpened } from '#/app-shell/commands/recent/remember-opened.tsx';
import { Button } from '#/components/button/button.tsx';
import { formatCount } from '#/components/list/list-end.tsx';
import { NothingHere } from '#/components/page/nothing-here.tsx';
import { BackLink } from '#/components/page/page-head.tsx';
import { WithPanel } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeDisabledReason } from '#/copy/webhooks.ts';
import { formatTimestamp } from '#/format/moments.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { failureCode } from '#/trpc/failure-code.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import { dialogParser, panelParser } from '../filters.ts';
import { Deliveries, useDeliveryCounts } from './deliveries.tsx';
import { Settings } from './settings.tsx';

/** One endpoint. A URL without a merchant finds it among all merchants the viewer may see. */
export function EndpointPage({ endpointId }: { endpointId: string }) {
  const trpc = useTRPC();
  const scope = useScope();
  const all = useQuery(
    trpc.webhooks.list.queryOptions({ merchantId: null, mode: scope.mode }, { enabled: scope.merchantId === null }),
  );
  const merchantId = scope.merchantId ?? all.data?.find((one) => one.endpointId === endpointId)?.merchantId;
  const isUnknown = scope.merchantId === null && all.data !== undefined && merchantId === undefined;
  if (isUnknown) return <NothingHere />;
  return (
    <div className="min-w-0">
      <BackLink href={hrefIn(scope, '/webhooks')}>Webhooks</BackLink>
      {merchantId === undefined ? (
        <div className="h-[360px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading the endpoint" />
      ) : (
        <OfMerchant merchantId={merchantId} endpointId={endpointId} />
      )}
    </div>
  );
}

function OfMerchant(key: { merchantId: string; endpointId: string }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.webhooks.byId.queryOptions(key, { refetchInterval: 5_000 }));
  if (data !== undefined) return <EndpointView endpoint={data} />;
  if (error === null)
    return <div className="h-[360px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading the endpoint" />;
  const code = failureCode(error);
  if (code === 'NOT_FOUND' || code === 'BAD_REQUEST' || code === 'FORBIDDEN') return <NothingHere />;
  return <p role="alert">{error.message}</p>;
}

const DeliveryPanel = dynamic(() => import('./delivery-panel.tsx').then((module) => module.DeliveryPanel));
const ResendDialog = dynamic(() => import('./dialogs.tsx').then((module) => module.ResendDialog));
const EditDialog = dynamic(() => import('./dialogs.tsx').then((module) => module.EditDialog));
const RotateSecretDialog = dynamic(() => import('./dialogs.tsx').then((module) => module.RotateSecretDialog));
const DisableDialog = dynamic(() => import('./dialogs.tsx').then((module) => module.DisableDialog));
const RemoveDialog = dynamic(() => import('./dialogs.tsx').then((module) => module.RemoveDialog));

const ALL_DELIVERIES = { state: null, q: '', since: '', until: '' };

/** An endpoint: its state, deliveries, resends and settings. */
function EndpointView({ endpoint }: { endpoint: EndpointRow }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { merchantId, endpointId, traffic } = endpoint;
  const [{ delivery }, setPanel] = useQueryStates(panelParser, { history: 'push' });
  const [doing, setDoing] = useQueryStates(dialogParser, { history: 'push' });
  const { data: merchants } = useQuery(trpc.merchants.list.queryOptions(undefined, { staleTime: 60_000 }));
  const merchantName = merchants?.find((one) => one.merchantId === merchantId)?.name;
  const open = useCallback((deliveryId: string | null) => void setPanel({ delivery: deliveryId }), [setPanel]);
  const close = () => void setDoing({ do: null, from: null });
  const changed = () => void queries.invalidateQueries({ queryKey: trpc.webhooks.pathKey() });
  const dialog = { endpoint, onDone: changed, onClose: close };
  const counts = useDeliveryCounts({ merchantId, endpointId }, ALL_DELIVERIES);
  const can = useCan();
  const mayResend = can('webhook:resend', merchantId);
  const mayConfigure = can('webhook:configure', merchantId);

  return (
    <WithPanel
      panel={
        delivery !== null && (
          <DeliveryPanel key={delivery} endpoint={endpoint} deliveryId={delivery} onDone={changed} onClose={() => open(null)} />
        )
      }
    >
      <RememberOpened kind="endpoint" id={endpointId} title={endpoint.url} mode={endpoint.mode} merchantId={merchantId} />
      <div className="flex flex-wrap gap-x-3 gap-y-2 items-center mb-1 max-phone:mb-3">
        <h1 className="flex-[1_1_280px] min-w-0 text-xl font-semibold leading-[1.3] tracking-[-0.01em] wrap-anywhere">
          {endpoint.url}
        </h1>
        <HeadActions
          endpoint={endpoint}
          onTest={(deliveryId) => {
            changed();
            open(deliveryId);
          }}
          onResend={() => void setDoing({ do: 'resend' })}
        />
      </div>
      <p className="flex flex-wrap gap-x-3 gap-y-1 items-center mb-5 text-ink-quiet text-sm">
        <EndpointBadge endpoint={endpoint} />
        {merchantName !== undefined && <span>{merchantName}</span>}
        {endpoint.description !== '' && <span>{endpoint.description}</span>}
      </p>
      {!endpoint.enabled && <DisabledNotice endpoint={endpoint} onDone={changed} />}
      <dl className="flex flex-wrap gap-x-10 gap-y-3 mb-7 py-3.5 border-t border-line border-b border-line">
        <Figure name="Success, 24 h">{shareOf(traffic)}</Figure>
        <Figure name="Attempts, 24 h">{traffic.attempts.toLocaleString('en')}</Figure>
        <Figure name="Pending">{formatCount(counts?.byState.PENDING ?? { count: traffic.waiting, more: false })}</Figure>
        <Figure name="Last delivered">
          {endpoint.lastDeliveredAt === null ? 'never' : <Moment value={endpoint.lastDeliveredAt} />}
        </Figure>
      </dl>
      <Resends merchantId={merchantId} endpointId={endpointId} />
      <Deliveries merchantId={merchantId} endpointId={endpointId} openId={delivery} onOpen={open} />
      <Settings endpoint={endpoint} onDo={(what) => void setDoing({ do: what })} onDone={changed} />
      {doing.do === 'resend' && mayResend && <ResendDialog {...dialog} from={doing.from} />}
      {doing.do === 'edit' && mayConfigure && <EditDialog {...dialog} />}
      {doing.do === 'rotate' && mayConfigure && <RotateSecretDialog {...dialog} />}
      {doing.do === 'off' && mayConfigure && <DisableDialog {...dialog} />}
      {doing.do === 'remove' && mayConfigure && <RemoveDialog {...dialog} />}
    </WithPanel>
  );
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="[&_dt]:text-ink-faint [&_dt]:text-xs [&_dd]:m-0 [&_dd]:text-lg [&_dd]:font-semibold [&_dd]:tabular-nums">
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** The frequent actions on an endpoint. */
function HeadActions({
  endpoint,
  onTest,
  onResend,
}: {
  endpoint: EndpointRow;
  onTest: (deliveryId: string) => void;
  onResend: () => void;
}) {
  const trpc = useTRPC();
  const can = useCan();
  const { merchantId, endpointId } = endpoint;
  const test = useMutation(trpc.webhooks.sendTest.mutationOptions());

  async function send() {
    const outcome = await test.mutateAsync({ merchantId, endpointId });
    if (outcome.kind === 'queued') onTest(outcome.deliveryId);
    else showToast({ text: 'Nothing is sent to a disabled endpoint.', tone: 'bad' });
  }

  if (!can('webhook:resend', merchantId) || !endpoint.enabled) return null;
  return (
    <div className="flex flex-wrap gap-2">
      <Button
        variant="accent"
        loading={test.isPending}
        onClick={() => void send().catch((error: Error) => showToast({ text: error.message, tone: 'bad' }))}
      >
        Send test event
      </Button>
      <Button onClick={onResend}>Resend events</Button>
    </div>
  );
}

/** An endpoint that is switched off, the reason, and switching it on. */
function DisabledNotice({ endpoint, onDone }: { endpoint: EndpointRow; onDone: () => void }) {
  const can = useCan();
  const { merchantId, disabledAt, disabledReason } = endpoint;
  const { enable, busy } = useEnableEndpoint(endpoint, onDone);

  return (
    <div
      className="side-note flex flex-wrap gap-x-4 gap-y-2 items-center justify-between mb-5"
      data-tone={disabledReason === 'staff' ? 'wait' : 'bad'}
    >
      <span>
        Disabled {disabledAt !== null && <Moment value={disabledAt} />}: {describeDisabledReason(disabledReason)}. Nothing is sent
        until it is enabled.
      </span>
      {can('webhook:configure', merchantId) && (
        <Button loading={busy} onClick={() => void enable()}>
          Enable
        </Button>
      )}
    </div>
  );
}

type Resend = RouterOutputs['webhooks']['deliveries']['resends'][number];

const SHOWN = 3;

/** Resends of periods, with their progress. */
function Resends(key: { merchantId: string; endpointId: string }) {
  const trpc = useTRPC();
  const { data } = useQuery(
    trpc.webhooks.deliveries.resends.queryOptions(key, {
      refetchInterval: ({ state }) => (state.data?.some((one) => !isOver(one)) ? 1_000 : 15_000),
    }),
  );
  if (data === undefined || data.length === 0) return null;
  return (
    <section className="mt-8" aria-label="Resends">
      <h2 className="mb-2 text-base font-semibold">Resends</h2>
      <ul className="grid gap-3 max-w-[720px] text-sm">
        {data.slice(0, SHOWN).map((resend) => (
          <li key={resend.id}>
            <span title={`${formatTimestamp(resend.fromAt)} to ${formatTimestamp(resend.toAt)}`}>
              What happened between <Moment value={resend.fromAt} tense="either" /> and{' '}
              <Moment value={resend.toAt} tense="either" />
            </span>
            <progress
              className="block w-full h-1.5 mt-1.5 mb-1 accent-accent"
              max={Math.max(1, resend.total)}
              value={Math.min(resend.total, resend.delivered + resend.failed)}
              aria-label="Events processed"
            />
            <span className="text-ink-faint text-xs">
              {resend.delivered.toLocaleString('en')} of {resend.total.toLocaleString('en')} delivered
              {resend.failed > 0 && `, ${resend.failed.toLocaleString('en')} failed`}
              {resend.waiting > 0 && `, ${resend.waiting.toLocaleString('en')} waiting`}
              {resend.finishedAt === null && `, ${resend.queued.toLocaleString('en')} in the queue so far`}; requested{' '}
              <Moment value={resend.createdAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function isOver({ finishedAt, waiting }: Resend): boolean {
  return finishedAt !== null && waiting === 0;
}

interface DisabledEndpoint {
  readonly merchantId: string;
  readonly endpointId: string;
  readonly disabledAt: Date | null;
}

/**
 * Switches an endpoint on, and offers to send what was missed: by its address, since the message is still there when the person has
 * gone to another page.
 */
export function useEnableEndpoint({ merchantId, endpointId, disabledAt }: DisabledEndpoint, onDone: () => void) {
  const trpc = useTRPC();
  const router = useRouter();
  const scope = useScope();
  const on = useMutation(trpc.webhooks.enable.mutationOptions());

  async function enable(): Promise<void> {
    try {
      await on.mutateAsync({ merchantId, endpointId });
    } catch (error) {
      showToast({ text: error instanceof Error ? error.message : 'This did not work. Try again.', tone: 'bad' });
      return;
    }
    onDone();
    const path = `/webhooks/endpoints/${endpointId}`;
    showToast({
      text: 'The endpoint is enabled. Events from while it was disabled were not sent.',
      ...(disabledAt !== null && {
        action: {
          label: 'Resend missed events',
          run: () => router.push(hrefIn(scope, path, { do: 'resend', from: disabledAt.toISOString() })),
        },
      }),
    });
  }
  return { enable, busy: on.isPending };
}
