'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useQueryStates } from 'nuqs';
import { useCallback } from 'react';
import { EndpointBadge, type EndpointRow, shareOf } from '#/app/(admin)/webhooks/_components/endpoint-badge.tsx';
import { RememberOpened } from '#/app-shell/commands/recent/remember-opened.tsx';
import { WithPanel } from '#/components/side-panel/with-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import { dialogParser, panelParser } from '../filters.ts';
import { Deliveries } from './deliveries.tsx';
import classes from './endpoint-page.module.css';
import { DisabledNotice, HeadActions } from './head-actions.tsx';
import { Resends } from './resends.tsx';
import { Settings } from './settings.tsx';

const DeliveryPanel = dynamic(() => import('./delivery-panel.tsx').then((module) => module.DeliveryPanel));
const ResendDialog = dynamic(() => import('./resend-dialog.tsx').then((module) => module.ResendDialog));
const EditDialog = dynamic(() => import('./edit-dialog.tsx').then((module) => module.EditDialog));
const RotateSecretDialog = dynamic(() => import('./rotate-secret-dialog.tsx').then((module) => module.RotateSecretDialog));
const DisableDialog = dynamic(() => import('./disable-dialog.tsx').then((module) => module.DisableDialog));
const RemoveDialog = dynamic(() => import('./remove-dialog.tsx').then((module) => module.RemoveDialog));

/** An endpoint: its state, deliveries, resends and settings. */
export function EndpointView({ endpoint }: { endpoint: EndpointRow }) {
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
        <Figure name="Pending">{traffic.waiting.toLocaleString('en')}</Figure>
        <Figure name="Last delivered">
          {endpoint.lastDeliveredAt === null ? 'never' : <Moment value={endpoint.lastDeliveredAt} />}
        </Figure>
      </dl>
      <Resends merchantId={merchantId} endpointId={endpointId} />
      <Deliveries merchantId={merchantId} endpointId={endpointId} openId={delivery} onOpen={open} />
      <Settings endpoint={endpoint} onDo={(what) => void setDoing({ do: what })} onDone={changed} />
      {doing.do === 'resend' && <ResendDialog {...dialog} from={doing.from} />}
      {doing.do === 'edit' && <EditDialog {...dialog} />}
      {doing.do === 'rotate' && <RotateSecretDialog {...dialog} />}
      {doing.do === 'off' && <DisableDialog {...dialog} />}
      {doing.do === 'remove' && <RemoveDialog {...dialog} />}
    </WithPanel>
  );
}

function Figure({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
