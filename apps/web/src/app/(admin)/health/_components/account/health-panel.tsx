'use client';

import { methodWord, SHARE_FROM } from '@switchyard/routing';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { OUTAGE_DAYS, SPAN_LABELS, type Span } from '#/app/(admin)/health/span.ts';
import { StateBadge } from '#/components/badge/state-badge.tsx';
import { ScrollArea } from '#/components/scroll-area/scroll-area.tsx';
import { PanelPart, PanelSkeleton, SidePanel } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { HEALTH_LABELS, type HealthState, healthReasonText } from '#/copy/health.ts';
import { addDays } from '#/format/calendar.ts';
import { dayOf, describeLength, startOfDay } from '#/format/moments.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan } from '#/trpc/use-can.ts';
import { Feed } from '../happenings/feed.tsx';
import { Overrides } from '../overrides/overrides.tsx';
import { OverTime } from '../strip/over-time.tsx';
import { StateStrip } from '../strip/state-strip.tsx';
import { fillSteps, othersMs, spansUntilNow, unhealthyMs, worstWithin } from '../strip/strip-figures.ts';
import { dayLabel, TimeAxis, weekdayLetter } from '../strip/time-axis.tsx';
import type { AccountOverview, MethodOverview } from '../use-health.ts';
import { Evidence } from './evidence.tsx';

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
              className="underlined-tab h-8 px-2.5"
              aria-pressed={one.method === health.method}
              onClick={() => onOpen(accountId, one.method)}
            >
              {one.method === null ? 'All' : methodTitle(one.method)}
              {one.state === 'down' && <span className="text-bad-ink"> ×</span>}
              {(one.state === 'degraded' || one.state === 'probing') && <span className="text-wait-ink"> !</span>}
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
  const recorded = states.data?.series.find(isOfMethod(judgedBy === 'account' ? null : method))?.spans ?? null;
  const spans = spansUntilNow(recorded, health, time.from);
  return (
    <PanelPart title={long.charAt(0).toUpperCase() + long.slice(1)} label={`Over ${long}`}>
      <StateStrip steps={steps} spans={spans} over={long} from={time.from} to={time.to} endsNow />
      <TimeAxis from={time.from} to={time.to} endsNow />
      <OverTime steps={steps} spans={spans} stepMs={time.stepMs} />
    </PanelPart>
  );
}

type Budget = RouterOutputs['health']['errorBudgets'][number];

const REFRESH_MS = 60_000;

/** How much of the failures that the target allows in 30 days an account and its methods have used. */
function ErrorBudget({ account: { accountId, merchantId } }: { account: AccountOverview }) {
  const trpc = useTRPC();
  const scope = useScope();
  const { data } = useQuery(trpc.health.errorBudgets.queryOptions({ ...scope, accountId }, { refetchInterval: REFRESH_MS }));
  const [first] = data ?? [];
  return (
    <PanelPart title="Error budget">
      {data?.length === 0 && <p className="mt-2 text-ink-faint text-xs">No checkouts in 30 days, so no budget is used.</p>}
      {first !== undefined && (
        <>
          <ScrollArea className="w-full" label="Error budget by method">
            <table className="figures-table whitespace-nowrap [--between:12px] [--row:32px] [&_thead_th]:h-6.5">
              <thead>
                <tr>
                  <th scope="col">30 days</th>
                  <th scope="col">Failed, of checkouts</th>
                  <th scope="col">Allowed</th>
                  <th scope="col">Used</th>
                  <th scope="col">Burn rate</th>
                </tr>
              </thead>
              <tbody>
                {data?.map((budget) => (
                  <Row key={budget.method ?? 'all'} budget={budget} />
                ))}
              </tbody>
            </table>
          </ScrollArea>
          <p className="mt-2 text-ink-faint text-xs">
            Target {percent(first.target)} of checkouts opened: used is failed ÷ ({percent(1 - first.target)} of all checkouts of
            30 days), and burn rate is the share that failed in the last hour ÷ {percent(1 - first.target)}, so that at 1× the
            budget lasts 30 days. <Link href={hrefIn({ ...scope, merchantId }, '/health/thresholds')}>Change the target</Link>
          </p>
        </>
      )}
    </PanelPart>
  );
}

const TONES = 'data-[tone=bad]:text-bad-ink data-[tone=bad]:font-semibold data-[tone=wait]:text-wait-ink';

function Row({ budget: { method, opened, failed, allowed, used, burnRate } }: { budget: Budget }) {
  return (
    <tr>
      <th scope="row">{method === null ? 'All methods' : methodTitle(method)}</th>
      <td>
        {failed.toLocaleString('en')} of {opened.toLocaleString('en')}
      </td>
      <td>{allowed < 10 ? allowed.toFixed(1) : Math.floor(allowed).toLocaleString('en')}</td>
      <td className={TONES} data-tone={used >= 1 ? 'bad' : used >= 0.75 ? 'wait' : 'plain'}>
        <span
          className="inline-block w-12 h-1.5 mr-2 overflow-hidden rounded-[3px] bg-ground-hover align-middle [&_span]:block [&_span]:h-full [&_span]:bg-current"
          aria-hidden="true"
        >
          <span style={{ width: `${Math.min(1, used) * 100}%` }} />
        </span>
        {opened < SHARE_FROM ? '–' : percent(used, 0)}
        {used > 1 && <span className="sr-only"> (overspent)</span>}
      </td>
      <td className={TONES} data-tone={(burnRate ?? 0) > 1 ? 'bad' : 'plain'}>
        {burnRate === null ? '–' : `${burnRate.toFixed(1)}×`}
      </td>
    </tr>
  );
}

/** `99.5%`; whole where `digits` is 0. */
function percent(share: number, digits = 2): string {
  return `${(share * 100).toLocaleString('en', { maximumFractionDigits: digits })}%`;
}

/** The worse the state of a day, the more of it is marked. */
const DAYS = {
  healthy: 'border-b-3 border-good bg-good-soft',
  degraded: 'border-b-7 border-wait bg-wait-soft text-wait-ink',
  probing: 'border-b-7 border-wait bg-wait-soft text-wait-ink',
  down: 'border-b-12 border-bad bg-bad-soft text-bad-ink',
} satisfies Record<HealthState, string>;

/** The last two weeks by day: the worst state and its duration. */
function Days({ accountId, method }: { accountId: string; method: string | null }) {
  const trpc = useTRPC();
  const scope = useScope();
  const now = useNow();
  const { data } = useQuery(trpc.health.states.queryOptions({ ...scope, minutes: OUTAGE_DAYS * 1_440 }));
  const own = data?.series.find((series) => series.accountId === accountId && series.method === method);
  const today = dayOf(now);
  const days = Array.from({ length: OUTAGE_DAYS }, (_, index) => addDays(today, index + 1 - OUTAGE_DAYS));
  return (
    <PanelPart title="Day by day">
      <ol className="grid grid-cols-14 gap-0.75 max-phone:grid-cols-7">
        {days.map((day) => {
          const from = startOfDay(day)?.getTime() ?? now;
          const to = Math.min(startOfDay(addDays(day, 1))?.getTime() ?? now, now);
          const state = worstWithin(own?.spans ?? [], from, to);
          const trouble = unhealthyMs(own?.spans ?? [], from, to);
          const alone = othersMs(own?.spans ?? [], from, to) === trouble ? ', for other merchants alone' : '';
          const words =
            trouble === 0
              ? 'healthy'
              : `${HEALTH_LABELS[state].word.toLowerCase()} at worst, not healthy for ${describeLength(trouble)}${alone}`;
          return (
            <li key={day} className="grid gap-1 min-w-0" title={`${dayLabel(new Date(from))}: ${words}`}>
              <span className="text-ink-faint text-xs text-center" aria-hidden="true">
                {weekdayLetter(new Date(from))}
              </span>
              <span
                className={`grid place-items-center h-7.5 overflow-hidden text-xs tabular-nums tracking-[-0.02em] whitespace-nowrap ${DAYS[state]}`}
              >
                <span className="sr-only">
                  {dayLabel(new Date(from))}: {words}
                </span>
                <span aria-hidden="true">{trouble === 0 ? '' : describeLength(trouble)}</span>
              </span>
            </li>
          );
        })}
      </ol>
    </PanelPart>
  );
}
