'use client';

import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useState } from 'react';
import { Badge, StatusBadge } from '#/components/badge/badge.tsx';
import { StateBadge } from '#/components/badge/state-badge.tsx';
import { FirstPayment } from '#/components/first-payment/first-payment.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { Freshness } from '#/components/time/freshness.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { FAULT_LABELS, gatewayTitle } from '#/copy/gateways.ts';
import { healthReasonText, SEVERITY } from '#/copy/health.ts';
import { formatMoney } from '#/format/amounts.ts';
import { clockOf } from '#/format/moments.ts';
import { FindingLink, IncidentLink, SEVERITY_LABELS } from '#/incidents/incident-links.tsx';
import { type Finding, useAttention } from '#/incidents/use-attention.ts';
import { useBlindness } from '#/liveness/blindness.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCanHere } from '#/trpc/use-can.ts';
import { lastPaidInput, latestInput } from '../latest.ts';
import { HourlyChart } from './hourly-chart.tsx';
import classes from './latest.module.css';
import { NowLine } from './now-line.tsx';
import { GatewayTable, SystemFacts, TodayFigures } from './today-figures.tsx';

const REFRESH_MS = 5_000;

/** Today's figures, items that need attention and the latest payments. Every sum links to its list. */
export function OverviewPage({ publicUrl }: { publicUrl: string }) {
  const trpc = useTRPC();
  const scope = useScope();
  const refetchInterval = REFRESH_MS;
  const today = useQuery(trpc.payments.today.queryOptions(scope, { refetchInterval }));
  const latest = useQuery(trpc.payments.list.queryOptions(latestInput(scope), { refetchInterval }));
  const lastPaid = useQuery(trpc.payments.list.queryOptions(lastPaidInput(scope), { refetchInterval }));
  const attention = useAttention(refetchInterval);
  const health = useQuery(trpc.system.health.queryOptions(undefined, { refetchInterval }));
  const refresh = () => {
    for (const query of [today, latest, lastPaid, attention, health]) void query.refetch();
  };
  return (
    <div className="max-w-[1440px]">
      <PageHead title="Overview">
        <Freshness updatedAt={today.dataUpdatedAt} fetching={today.isFetching} onRefresh={refresh} />
      </PageHead>
      <NowLine
        findings={attention.data?.items}
        today={today.data}
        lastPaid={lastPaid.data === undefined ? undefined : (lastPaid.data.items[0] ?? null)}
      />
      <SetUp />
      <Drained />
      <TodayFigures today={today.data} />
      <Earned />
      <div className="mt-6">
        <Attention attention={attention.data} health={health.data} failed={today.isError || health.isError} />
      </div>
      <div className="mt-8">
        <HourlyChart />
      </div>
      <section className="mt-8">
        <h2 className="mb-3 text-lg font-semibold tracking-[-0.005em]">Gateways</h2>
        <HealthStrip />
      </section>
      <div className="grid grid-cols-1 gap-x-14 gap-y-10 mt-10 min-[1120px]:grid-cols-[minmax(0,1.7fr)_minmax(300px,1fr)]">
        <section>
          <h2 className="mb-3 text-lg font-semibold tracking-[-0.005em]">Latest payments</h2>
          <Latest page={latest.data} publicUrl={publicUrl} />
        </section>
        <div className="grid gap-8 content-start min-w-0">
          <section>
            <h2 className="mb-3 text-lg font-semibold tracking-[-0.005em]">Today by gateway</h2>
            <GatewayTable today={today.data} />
          </section>
          <section>
            <h2 className="mb-3 text-lg font-semibold tracking-[-0.005em]">System</h2>
            <SystemFacts health={health.data} />
          </section>
        </div>
      </div>
    </div>
  );
}

/** The newest payments, with a link to all. */
function Latest({ page, publicUrl }: { page: RouterOutputs['payments']['list'] | undefined; publicUrl: string }) {
  const scope = useScope();
  if (page === undefined)
    return <div className="h-[320px] rounded-lg bg-ground-quiet" role="status" aria-label="Loading the latest payments" />;
  if (page.items.length === 0) return <FirstPayment publicUrl={publicUrl} mode={scope.mode} />;
  return (
    <>
      <ul className="border-t border-line">
        {page.items.map((row) => (
          <li key={row.paymentId}>
            <Link href={hrefIn(scope, `/payments/${row.paymentId}`)} prefetch={false} className={classes.row}>
              <span className="font-medium truncate">{row.merchantOrderId}</span>
              <span className="text-ink-quiet max-tablet:hidden">{gatewayTitle(row.gateway)}</span>
              <span className="tabular-nums font-medium text-end">{formatMoney(row.currency, row.amount)}</span>
              <StatusBadge status={row.displayStatus} />
              <Moment value={row.createdAt} className="text-ink-quiet tabular-nums text-end" />
            </Link>
          </li>
        ))}
      </ul>
      <Link href={hrefIn(scope, '/payments')} className="inline-block mt-3 text-sm no-underline hover:underline">
        All payments
      </Link>
    </>
  );
}

/** Items shown at first, so that the day's chart is not far below; a few more are shown at once. */
const SHOWN = 6;
const A_FEW = 2;

/** Findings that need attention, the most severe first, each with a link to it, or a line that there is nothing. */
function Attention({
  attention,
  health,
  failed,
}: {
  attention: RouterOutputs['attention']['list'] | undefined;
  health: RouterOutputs['system']['health'] | undefined;
  failed: boolean;
}) {
  const [all, setAll] = useState(false);
  const blindness = useBlindness();
  const troubles = troublesOf(health, failed, attention?.incomplete === true);
  if (attention === undefined && troubles.length === 0) {
    return <div className="h-24 rounded-md bg-ground-hover" role="status" aria-label="Loading what needs attention" />;
  }
  const items = attention?.items ?? [];
  const shown = all || items.length <= SHOWN + A_FEW ? items : items.slice(0, SHOWN);
  return (
    <section aria-labelledby="needs-attention">
      <h2 className="flex items-center gap-2 mb-2 text-lg font-semibold" id="needs-attention">
        Needs attention {items.length > 0 && <span className="text-ink-faint text-sm font-normal">{items.length}</span>}
      </h2>
      <ul className="border-t border-line">
        {troubles.map((trouble) => (
          <li key={trouble} className="flex items-start gap-3 py-2 border-b border-line max-tablet:flex-wrap">
            <IconAlertTriangle size={16} stroke={1.8} className="flex-none mt-0.5 text-bad-ink" aria-hidden="true" />
            <span className="flex-1 min-w-0 text-ink-quiet wrap-anywhere tablet:truncate max-tablet:basis-[calc(100%-28px)]">
              {trouble}
            </span>
          </li>
        ))}
        {shown.map((finding) => (
          <AttentionLine key={finding.key} finding={finding} />
        ))}
        {items.length + troubles.length === 0 && (
          <li className="flex items-start gap-3 py-2 border-b border-line max-tablet:flex-wrap">
            <IconCheck size={16} stroke={2} className="flex-none mt-0.5 text-good-ink" aria-hidden="true" />
            <span className="flex-1 min-w-0 text-ink-quiet wrap-anywhere tablet:truncate max-tablet:basis-[calc(100%-28px)]">
              {blindness === null
                ? 'Nothing needs attention'
                : `Nothing needed attention at ${clockOf(new Date(blindness.since))}; the state now is unknown`}
            </span>
          </li>
        )}
      </ul>
      {shown.length < items.length && (
        <button type="button" className="mt-2 py-1 text-accent-ink text-sm hover:underline" onClick={() => setAll(true)}>
          Show the other {items.length - shown.length}
        </button>
      )}
    </section>
  );
}

function AttentionLine({ finding }: { finding: Finding }) {
  const scope = useScope();
  const { severity, why, merchantName, since, acknowledgedByName } = finding;
  const { word, tone } = SEVERITY_LABELS[severity];
  return (
    <li className="flex items-start gap-3 py-2 border-b border-line max-tablet:flex-wrap">
      <IconAlertTriangle
        size={16}
        stroke={1.8}
        className="flex-none mt-0.5 tone-ink"
        data-tone={tone}
        role="img"
        aria-label={word}
      />
      <span
        className="flex-1 min-w-0 text-ink-quiet wrap-anywhere tablet:truncate max-tablet:basis-[calc(100%-28px)]"
        title={why}
      >
        <strong className="text-ink font-medium after:content-['.']">
          <IncidentLink incident={finding} />
        </strong>{' '}
        {why}
      </span>
      <span className="flex-none max-w-[40%] truncate text-ink-faint text-xs leading-5 max-tablet:max-w-none max-tablet:ml-7 max-tablet:flex-1">
        {scope.merchantId === null && merchantName !== null && `${merchantName}, `}
        {since !== null && <Moment value={since} className="whitespace-nowrap" />}
        {acknowledgedByName != null && `, ${acknowledgedByName}`}
      </span>
      <FindingLink finding={finding} className="flex-none text-accent-ink text-sm no-underline hover:underline max-tablet:ml-7" />
    </li>
  );
}

function troublesOf(health: RouterOutputs['system']['health'] | undefined, failed: boolean, incomplete: boolean): string[] {
  return [
    ...(failed ? ['The server does not answer; the figures may be out of date.'] : []),
    ...(health?.database.up === false ? ['The database does not answer.'] : []),
    ...(health?.configuration.current === false ? ['Configuration has not been refreshed for more than 5 s.'] : []),
    ...(incomplete ? ['Some checks failed; this list may be incomplete.'] : []),
  ];
}

/** The drains whose gateway is well again, to put back. */
function Drained() {
  const accounts = useHealthOverview()?.accounts ?? [];
  return accounts.some(({ overrides }) => overrides.length > 0) ? <StillDrained accounts={accounts} /> : null;
}

function useHealthOverview() {
  const trpc = useTRPC();
  const scope = useScope();
  const enabled = useCanHere()('health:read');
  return useQuery(trpc.health.overview.queryOptions(scope, { enabled, refetchInterval: REFRESH_MS })).data;
}

/** Every account with the worst of its states, in one line. */
export function HealthStrip() {
  const scope = useScope();
  const can = useCanHere();
  const allowed = can('health:read');
  const data = useHealthOverview();
  if (!allowed) return null;
  if (data === undefined)
    return <div className="h-24 rounded-md bg-ground-hover" role="status" aria-label="Loading the health of gateways" />;
  if (data.accounts.length === 0) {
    return (
      <p className="text-ink-faint text-sm">
        No {scope.mode} gateway accounts yet.{' '}
        {can('gateway:configure') && <Link href={hrefIn(scope, '/gateways', { do: 'connect' })}>Connect one</Link>}
      </p>
    );
  }
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] gap-x-6 gap-y-0" aria-label="Health of gateways">
      {data.accounts.map(({ accountId, gatewayTitle, label, merchantName, enabled, fault, health }) => {
        const worst = health.reduce(
          (one, other) => (SEVERITY[other.state] > SEVERITY[one.state] ? other : one),
          health[0] ?? SEEN,
        );
        return (
          <li key={accountId}>
            <Link
              href={hrefIn(scope, fault === null ? '/health' : '/gateways', { account: accountId })}
              className="flex items-center justify-between gap-2 min-h-12 py-1 border-b border-line text-ink text-sm no-underline hover:bg-ground-hover"
              title={fault?.sentence ?? (healthReasonText(worst) || label)}
            >
              <span className="grid min-w-0 font-medium">
                {gatewayTitle}
                <span className="text-ink-faint text-xs font-normal truncate">
                  {scope.merchantId === null ? merchantName : label}
                </span>
              </span>
              {!enabled && <Badge tone="over">Disabled</Badge>}
              {enabled && fault === null && <StateBadge state={worst.state} why={worst.why} />}
              {enabled && fault !== null && (
                <Badge tone="bad" warns>
                  {FAULT_LABELS[fault.kind]}
                </Badge>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

const SEEN = { state: 'healthy', why: null, since: null } as const;

const StillDrained = dynamic(() => import('#/overrides/still-drained.tsx').then((module) => module.StillDrained));

const SetupChecklist = dynamic(() => import('./setup/setup-checklist.tsx').then((module) => module.SetupChecklist));

/** The set-up checklist of the merchant, until everything is done or the person has dismissed it; nothing for those who set nothing up. */
export function SetUp() {
  const trpc = useTRPC();
  const { merchantId } = useScope();
  const enabled = useCanHere()('merchant:update');
  const { data } = useQuery(
    trpc.setup.read.queryOptions(
      { merchantId },
      { enabled, refetchInterval: ({ state }) => (state.data != null && isOpen(state.data) ? REFRESH_MS : false) },
    ),
  );
  return enabled && data != null && isOpen(data) ? <SetupChecklist setup={data} /> : null;
}

function isOpen({ isDone, isDismissed }: { isDone: boolean; isDismissed: boolean }): boolean {
  return !isDone && !isDismissed;
}

const Sentence = dynamic(() =>
  import('#/app/(admin)/routing/_components/earned/earned-sentence.tsx').then((module) => module.EarnedSentence),
);

/**
 * The latest earnings of routing, of the merchant whose overview it is; nothing where no customers were held out, and for people who may
 * not see money.
 */
function Earned() {
  const trpc = useTRPC();
  const { merchantId, mode } = useScope();
  const may = useCanHere()('report:read');
  const { data } = useQuery(
    trpc.routing.earned.queryOptions(
      { merchantId: merchantId ?? '', mode },
      { enabled: may && merchantId !== null, staleTime: 60_000 },
    ),
  );
  const [latest] = data ?? [];
  return latest === undefined ? null : <Sentence month={latest} />;
}
