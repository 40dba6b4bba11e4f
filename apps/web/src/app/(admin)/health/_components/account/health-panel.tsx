'use client';

import { methodWord } from '@switchyard/routing';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { SPAN_LABELS, type Span } from '#/app/(admin)/health/span.ts';
import { StateBadge } from '#/components/badge/state-badge.tsx';
import { PanelPart, PanelSkeleton, SidePanel } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { healthReasonText } from '#/copy/health.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { Feed } from '../happenings/feed.tsx';
import { Overrides } from '../overrides/overrides.tsx';
import { Days } from '../strip/days.tsx';
import { OverTime } from '../strip/over-time.tsx';
import { StateStrip } from '../strip/state-strip.tsx';
import { fillSteps } from '../strip/strip-figures.ts';
import { TimeAxis } from '../strip/time-axis.tsx';
import type { AccountOverview, MethodOverview } from '../use-health.ts';
import { ErrorBudget } from './error-budget.tsx';
import { Evidence } from './evidence.tsx';
import classes from './health-panel.module.css';

/** The account and method that are open beside the list. */
export interface HealthPanelProps {
  readonly account: AccountOverview;
  /** Null for all methods together. */
  readonly method: string | null;
  readonly span: Span;
  readonly onOpen: (accountId: string, method: string | null) => void;
  readonly onClose: () => void;
  readonly onOverride: () => void;
  readonly onDrainGateway: () => void;
}

/** One account and method: its state and the reason, its history, its counts, and its override. Escape closes it. */
export function HealthPanel({ account, method, span, onOpen, onClose, onOverride, onDrainGateway }: HealthPanelProps) {
  const scope = useScope();
  const can = useCan();
  const { accountId, label, gatewayTitle, merchantId } = account;
  const health = account.health.find((one) => one.method === method) ?? account.health[0];
  if (health === undefined) return null;
  return (
    <SidePanel
      label={`Health of ${label}`}
      title={
        <nav className="flex flex-1 gap-0.5 min-w-0 overflow-x-auto" aria-label="Methods of the account">
          {account.health.map((one) => (
            <button
              key={one.method ?? 'all'}
              type="button"
              className={classes.method}
              aria-pressed={one.method === health.method}
              data-state={one.state}
              onClick={() => onOpen(accountId, one.method)}
            >
              {one.method === null ? 'All' : methodTitle(one.method)}
            </button>
          ))}
        </nav>
      }
      from={['data-health', `${accountId}|${health.method}`]}
      onClose={onClose}
    >
      <header className="grid gap-2 pt-2 pb-5">
        <h2 className="text-lg font-semibold wrap-anywhere">
          {label}, {methodWord(health.method)}
        </h2>
        <div className="flex items-center gap-2 pl-1.5">
          <StateBadge state={health.state} why={health.why} />
          {health.since !== null && (
            <span className="text-ink-faint text-xs">
              changed <Moment value={health.since} />
            </span>
          )}
        </div>
        <p className="text-base">{healthReasonText(health)}</p>
        {health.judgedBy === 'account' && (
          <p className="text-ink-faint text-xs">Too few checkouts by {methodWord(health.method)}, same state as all methods.</p>
        )}
        {health.judgedBy === 'others' && (
          <p className="text-ink-faint text-xs">
            The first checkout that succeeds here ends this. Sharing health with other merchants is one of the thresholds.
          </p>
        )}
        {health.state === 'probing' && (
          <p className="text-ink-faint text-xs">
            {health.probesLeft === 0
              ? 'All probe payments succeeded: it is healthy within seconds.'
              : `Probe payments go there first: ${health.probesLeft} more in a row must succeed. All others go there last.`}
          </p>
        )}
        {!account.isProbed && (
          <p className="text-ink-faint text-xs">No free call shows the health of {gatewayTitle}: only checkouts do.</p>
        )}
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          <Link href={hrefIn(scope, '/payments', { gateway: account.gateway })}>Payments at {gatewayTitle}</Link>
          <Link href={hrefIn(scope, '/gateways', { account: accountId })}>Gateway account</Link>
          <Link href={hrefIn({ ...scope, merchantId }, '/health/thresholds')}>Thresholds</Link>
        </p>
      </header>
      <Overrides account={account} onSet={onOverride} onDrainGateway={onDrainGateway} mayAct={can('override:set', merchantId)} />
      <Recently account={account} health={health} span={span} />
      <ErrorBudget account={account} />
      <Days accountId={accountId} method={health.method} />
      {can('payment:read', merchantId) && (
        <Evidence accountId={accountId} method={health.method} state={health.state} since={health.since} />
      )}
      <Feed accountId={accountId} />
    </SidePanel>
  );
}

/** The strip of the time chosen on the page, and success and latency as lines. */
function Recently({ account, health, span }: { account: AccountOverview; health: MethodOverview; span: Span }) {
  const trpc = useTRPC();
  const scope = useScope();
  const { minutes, stepSeconds, long } = SPAN_LABELS[span];
  // The page has fetched these already.
  const strips = useQuery(
    trpc.health.strips.queryOptions({ ...scope, minutes, stepSeconds }, { placeholderData: keepPreviousData }),
  );
  const states = useQuery(trpc.health.states.queryOptions({ ...scope, minutes }, { placeholderData: keepPreviousData }));
  const { method, judgedBy } = health;
  const isOfMethod = (of: string | null) => (one: { accountId: string; method: string | null }) =>
    one.accountId === account.accountId && one.method === of;
  const time = strips.data;
  if (time === undefined) return <PanelSkeleton label="Loading figures" />;
  const steps = fillSteps(time.strips.find(isOfMethod(method)), time.from, time.to, time.stepMs);
  const spans = states.data?.series.find(isOfMethod(judgedBy === 'account' ? null : method))?.spans ?? [
    { state: 'healthy' as const, from: time.from, to: null },
  ];
  return (
    <PanelPart title={long.charAt(0).toUpperCase() + long.slice(1)} label={`Over ${long}`}>
      <StateStrip steps={steps} spans={spans} over={long} from={time.from} to={time.to} />
      <TimeAxis from={time.from} to={time.to} />
      <OverTime steps={steps} spans={spans} stepMs={time.stepMs} />
    </PanelPart>
  );
}
