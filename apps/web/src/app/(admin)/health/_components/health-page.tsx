'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useQueryStates } from 'nuqs';
import { useCallback, useEffect } from 'react';
import { toServerTime } from '#/clock/server-clock.ts';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { WithPanel } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useIsBlind } from '#/liveness/blindness.ts';
import { drainedGateway } from '#/overrides/use-overrides.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan, useCanHere } from '#/trpc/use-can.ts';
import { dialogParser, healthParsers, panelParsers, SPAN_LABELS, SPANS } from '../span.ts';
import { AccountsByGateway, AccountsOfMerchant } from './account/account-groups.tsx';
import { Feed } from './happenings/feed.tsx';
import { Outages, Troubles } from './happenings/troubles.tsx';
import { HealthFailed, HealthSkeleton } from './health-skeleton.tsx';
import { StripLegend } from './strip/strip-legend.tsx';
import { type Connection, useHealth } from './use-health.ts';

const loadPanel = () => import('./account/health-panel.tsx');
const HealthPanel = dynamic(() => loadPanel().then((module) => module.HealthPanel));
const OverrideDialog = dynamic(() => import('#/overrides/override-dialog.tsx').then((module) => module.OverrideDialog));
const DrainGatewayDialog = dynamic(() =>
  import('#/overrides/drain-gateway-dialog.tsx').then((module) => module.DrainGatewayDialog),
);
const StillDrained = dynamic(() => import('#/overrides/still-drained.tsx').then((module) => module.StillDrained));

const STRIPS_EVERY_MS = 10_000;

/** Live health: current problems first, then each account and method over time, then the feed. */
export function HealthPage() {
  const trpc = useTRPC();
  const scope = useScope();
  const [{ span }, setSpan] = useQueryStates(healthParsers);
  const [{ account, method }, setPanel] = useQueryStates(panelParsers, { history: 'push' });
  const [doing, setDoing] = useQueryStates(dialogParser, { history: 'push' });
  const { data, failed, retry, connection, updatedAt } = useHealth();
  const { minutes, stepSeconds } = SPAN_LABELS[span];
  const stripsInput = { ...scope, minutes, stepSeconds };
  const strips = useQuery(
    trpc.health.strips.queryOptions(stripsInput, { refetchInterval: STRIPS_EVERY_MS, placeholderData: keepPreviousData }),
  );
  const states = useQuery(
    trpc.health.states.queryOptions(
      { ...scope, minutes },
      { refetchInterval: STRIPS_EVERY_MS, placeholderData: keepPreviousData },
    ),
  );
  useEffect(() => {
    // Preloads the panel, so that the first account opens without delay.
    const timer = setTimeout(() => void loadPanel(), 1_500);
    return () => clearTimeout(timer);
  }, []);
  const open = useCallback(
    (accountId: string, of: string | null) => void setPanel({ account: accountId, method: of }),
    [setPanel],
  );
  const opened = data?.accounts.find(({ accountId }) => accountId === account);
  const drained = drainedGateway(data?.accounts ?? [], doing.gateway, scope.mode);
  const can = useCan();
  const over = SPAN_LABELS[span].long;
  const blocks = { strips: strips.data, states: states.data, over, opened: account, openedMethod: method, onOpen: open };

  return (
    <WithPanel
      wide
      panel={
        opened !== undefined && (
          <HealthPanel
            key={`${opened.accountId} ${method}`}
            account={opened}
            method={method}
            span={span}
            onOpen={open}
            onClose={() => void setPanel({ account: null, method: null })}
            onOverride={() => void setDoing({ do: 'override' })}
            onDrainGateway={() => void setDoing({ do: 'drain-gateway', gateway: opened.gateway })}
          />
        )
      }
    >
      <PageHead title="Health">
        <LiveMark connection={connection} updatedAt={updatedAt} />
        <SegmentedControl
          label="How far back"
          choices={SPANS.map((value) => ({ value, label: SPAN_LABELS[value].label }))}
          value={span}
          onChange={(value) => void setSpan({ span: value })}
        />
        <Link className="text-accent-ink text-sm font-medium" href={hrefIn(scope, '/health/thresholds')}>
          Thresholds
        </Link>
      </PageHead>
      {data === undefined && failed === null && <HealthSkeleton />}
      {failed !== null && data === undefined && <HealthFailed message={failed} onRetry={retry} />}
      {data !== undefined && data.accounts.length === 0 && <NoAccounts />}
      {data !== undefined && data.accounts.length > 0 && (
        <>
          {data.accounts.some(({ overrides }) => overrides.length > 0) && <StillDrained accounts={data.accounts} />}
          <Troubles overview={data} onOpen={open} />
          <StripLegend />
          <div className="grid gap-9">
            {scope.merchantId === null ? (
              <AccountsByGateway
                accounts={data.accounts}
                onDrainGateway={(gateway) => void setDoing({ do: 'drain-gateway', gateway })}
                {...blocks}
              />
            ) : (
              <AccountsOfMerchant accounts={data.accounts} {...blocks} />
            )}
          </div>
          <div
            className="grid gap-x-12 gap-y-10 mt-12 min-[1100px]:data-[narrow=false]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]"
            data-narrow={opened !== undefined}
          >
            <Outages accounts={data.accounts} onOpen={open} />
            <Feed accountId={null} />
          </div>
        </>
      )}
      {opened !== undefined && doing.do === 'override' && can('override:set', opened.merchantId) && (
        <OverrideDialog account={opened} method={method} onClose={() => void setDoing({ do: null })} />
      )}
      {drained !== null && doing.do === 'drain-gateway' && can('override:set', null) && (
        <DrainGatewayDialog of={drained} onClose={() => void setDoing({ do: null, gateway: null })} />
      )}
    </WithPanel>
  );
}

/** State of the connection, and the age of the data on the page, `updatedAt` by the browser's clock. */
function LiveMark({ connection, updatedAt }: { connection: Connection; updatedAt: number }) {
  const isBlind = useIsBlind();
  const shown = isBlind ? 'lost' : connection;
  return (
    <p
      className="flex items-center gap-1.75 text-ink-faint text-xs tabular-nums data-[connection=lost]:text-bad-ink"
      data-connection={shown}
    >
      <span className={`w-2 h-2 border-2 rounded-full ${DOTS[shown]}`} aria-hidden="true" />
      <span>
        <span role="status">{isBlind ? 'Not live' : LABELS[connection]}</span>
        {updatedAt > 0 && (
          <>
            , updated <Moment value={new Date(toServerTime(updatedAt))} />
          </>
        )}
      </span>
    </p>
  );
}

const DOTS = { live: 'border-good bg-good', connecting: 'border-wait', lost: 'border-bad' } satisfies Record<Connection, string>;
const LABELS: Record<Connection, string> = { live: 'Live', connecting: 'Connecting', lost: 'Connection lost' };

/** Shown without accounts: what will appear here, and how to connect one. */
function NoAccounts() {
  const scope = useScope();
  const mayConnect = useCanHere()('gateway:configure');
  return (
    <EmptyState
      title={`No ${scope.mode} accounts to watch yet`}
      example="For example: “Down since 14:02: 18 of 22 checkouts timed out in 5 min (Paystack, card).”"
      action={
        mayConnect ? (
          <Link href={hrefIn(scope, '/gateways', { do: 'connect' })}>Connect an account</Link>
        ) : (
          <p>Only operators and owners can connect one.</p>
        )
      }
    >
      Every checkout is counted here by account and method. An account that fails is tried last within seconds, and gets its place
      back once single payments have proved that it works again.
    </EmptyState>
  );
}
