'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useState } from 'react';
import { OverTime } from '#/app/(admin)/health/_components/strip/over-time.tsx';
import { StateStrip } from '#/app/(admin)/health/_components/strip/state-strip.tsx';
import { fillSteps, type StateSpan, spansUntilNow } from '#/app/(admin)/health/_components/strip/strip-figures.ts';
import { StripLegend } from '#/app/(admin)/health/_components/strip/strip-legend.tsx';
import { TimeAxis } from '#/app/(admin)/health/_components/strip/time-axis.tsx';
import { StateBadge } from '#/components/badge/state-badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { healthReasonText, OVERRIDE_LABELS, SEVERITY } from '#/copy/health.ts';
import { type Incident, isOfSeveralMerchants } from '#/copy/incident-story.ts';
import { clockOf } from '#/format/moments.ts';
import { DrainButton } from '#/overrides/drain-button.tsx';
import { StillDrained } from '#/overrides/still-drained.tsx';
import { type DrainedGateway, drainedGateway } from '#/overrides/use-overrides.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCan, useCanHere } from '#/trpc/use-can.ts';

type IncidentAccount = Incident['accounts'][number];
type Chart = NonNullable<IncidentAccount['chart']>;
type Series = Omit<Chart['series'][number], 'spans'> & { readonly spans: readonly StateSpan[] };

/** With fewer checkouts a chart shows nothing that the timeline does not say. */
const DRAWN_MIN = 5;

/** The health of each account of an incident in its time, as it was recorded then; accounts with few checkouts are named instead. */
export function HealthSection({ incident }: { incident: Incident }) {
  const { accounts } = incident;
  const now = useAccountsNow(incident);
  if (accounts.length === 0) return null;
  const isOfSeveral = isOfSeveralMerchants(incident);
  const nameOf = ({ label, gateway, merchantName }: IncidentAccount) =>
    [label, gateway, isOfSeveral ? merchantName : ''].filter((text) => text !== '').join(' · ');
  const drawn = accounts.filter(({ chart }) => chart !== null && checkoutsIn(chart) >= DRAWN_MIN);
  const few = accounts.flatMap((account) => {
    const { chart } = account;
    const checkouts = chart === null ? DRAWN_MIN : checkoutsIn(chart);
    return checkouts < DRAWN_MIN ? [`${nameOf(account)} (${checkouts === 0 ? 'none' : checkouts})`] : [];
  });
  const unkept = accounts.filter(({ chart }) => chart === null).map(nameOf);
  return (
    <section aria-labelledby="health">
      <h2 className="mb-3 text-base font-semibold" id="health">
        Health
      </h2>
      {drawn.length > 0 && <StripLegend />}
      <div className="grid gap-8">
        {drawn.map((account) => (
          <article key={account.accountId} aria-label={`Health of ${account.label}`} className="min-w-0 break-inside-avoid">
            <h3 className="mb-2 text-sm font-medium wrap-anywhere">{nameOf(account)}</h3>
            {account.chart !== null && (
              <ChartOf
                account={account}
                chart={account.chart}
                now={now.find(({ accountId }) => accountId === account.accountId)}
              />
            )}
          </article>
        ))}
      </div>
      <div className="mt-3 text-ink-faint text-sm wrap-anywhere">
        {few.length > 0 && <p>Too few checkouts for a chart: {few.join(', ')}.</p>}
        {unkept.length > 0 && (
          <p>No chart was kept of {unkept.length === accounts.length ? 'this incident' : unkept.join(', ')}.</p>
        )}
      </div>
    </section>
  );
}

/** Checkouts of an account that a chart has. */
function checkoutsIn({ series }: Chart): number {
  const whole = series.find(({ method }) => method === null);
  return [...(whole?.succeeded ?? []), ...(whole?.faulted ?? [])].reduce((sum, checkouts) => sum + checkouts, 0);
}

/** The chart of an account; until payments do not meet the fault any more it ends with the state that the account is in now. */
function ChartOf({ account, chart, now }: { account: IncidentAccount; chart: Chart; now: AccountNow | undefined }) {
  const { from, to, stepMs } = chart;
  const series = chart.series.map((one): Series => {
    const health = account.metUntil === null ? now?.health.find(({ method }) => method === one.method) : undefined;
    return health === undefined || health.judgedBy === 'account'
      ? one
      : { ...one, spans: spansUntilNow(one.spans, health, from) };
  });
  const [whole, ...methods] = series;
  if (whole === undefined) return null;
  const over = `${clockOf(from)} to ${clockOf(to)}`;
  const end = account.metUntil === null ? 'now' : clockOf(to);
  const stepsOf = (one: Series) => fillSteps({ ...one, lookupsAnswered: [], lookupsFailed: [] }, from, to, stepMs);
  return (
    <>
      <dl className="grid grid-cols-[minmax(72px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-3 items-center">
        {[whole, ...methods.filter(({ spans, steps }) => spans.length > 1 || steps.length > 0)].map((one) => (
          <div key={one.method} className="contents">
            <dt className="text-ink-quiet text-xs">{one.method === null ? 'All methods' : methodTitle(one.method)}</dt>
            <dd className="m-0 min-w-0">
              <StateStrip steps={stepsOf(one)} spans={one.spans} over={over} from={from} to={to} />
            </dd>
          </div>
        ))}
        <div className="contents">
          <dt className="sr-only">Time</dt>
          <dd className="col-start-2 m-0 min-w-0">
            <TimeAxis from={from} to={to} end={end} />
          </dd>
        </div>
      </dl>
      <OverTime steps={stepsOf(whole)} spans={whole.spans} stepMs={stepMs} end={end} withoutEmpty />
    </>
  );
}

const OverrideDialog = dynamic(() => import('#/overrides/override-dialog.tsx').then((module) => module.OverrideDialog));
const DrainGatewayDialog = dynamic(() =>
  import('#/overrides/drain-gateway-dialog.tsx').then((module) => module.DrainGatewayDialog),
);

const REFRESH_MS = 10_000;

type AccountNow = RouterOutputs['health']['overview']['accounts'][number];

/** The accounts of an incident's merchants as they are now; none while they are not known, and of an incident of no account. */
function useAccountsNow({ merchantId, mode, accounts }: Incident): readonly AccountNow[] {
  const trpc = useTRPC();
  const mayRead = useCanHere()('health:read');
  const enabled = accounts.length > 0 && mayRead;
  const { data } = useQuery(trpc.health.overview.queryOptions({ merchantId, mode }, { enabled, refetchInterval: REFRESH_MS }));
  return data?.accounts ?? [];
}

/** The accounts of an incident as they are now, to drain and to put back; of a closed one only those that are still drained. */
export function AccountsNow({ incident }: { incident: Incident }) {
  const [draining, setDraining] = useState<AccountNow | null>(null);
  const { merchantId, mode, closedAt, closedReason, accounts } = incident;
  const all = useAccountsNow(incident);
  const now = all.filter(({ accountId }) => accounts.some((one) => one.accountId === accountId));
  // An incident that another covers goes on there, and a message may still lead here.
  const listed = closedAt === null || closedReason === 'absorbed' ? now : [];
  return (
    <>
      <StillDrained accounts={now} />
      {listed.length > 0 && (
        <ul className="mb-6 border-t border-line" aria-label="Accounts now">
          {listed.map((account) => (
            <Line key={account.accountId} account={account} isNamed={merchantId === null} onDrain={setDraining} />
          ))}
        </ul>
      )}
      {incident.kind === 'correlated_outage' && <DrainGateways affected={listed} accounts={all} mode={mode} />}
      {draining !== null && <OverrideDialog account={draining} reason="Gateway outage" onClose={() => setDraining(null)} />}
    </>
  );
}

/** Drains each gateway of a correlated outage for all merchants, for those who may act for all of them. */
function DrainGateways({
  affected,
  accounts,
  mode,
}: {
  affected: readonly AccountNow[];
  accounts: readonly AccountNow[];
  mode: Incident['mode'];
}) {
  const mayDrain = useCan()('override:set', null);
  const [asked, setAsked] = useState<DrainedGateway | null>(null);
  if (!mayDrain) return null;
  const isDrained = ({ overrides }: AccountNow) =>
    overrides.some(({ gateway, action }) => gateway !== null && action === 'drain');
  const names = [...new Set(affected.filter((account) => !isDrained(account)).map(({ gateway }) => gateway))];
  const gateways = names.flatMap((name) => drainedGateway(accounts, name, mode) ?? []);
  return (
    <>
      {gateways.length > 0 && (
        <p className="flex flex-wrap gap-2 mb-6 print:hidden">
          {gateways.map((one) => (
            <Button key={one.gateway} onClick={() => setAsked(one)}>
              Drain {one.title} for all merchants
            </Button>
          ))}
        </p>
      )}
      {asked !== null && <DrainGatewayDialog of={asked} onClose={() => setAsked(null)} />}
    </>
  );
}

function Line({ account, isNamed, onDrain }: { account: AccountNow; isNamed: boolean; onDrain: (account: AccountNow) => void }) {
  const { label, merchantName, health, overrides } = account;
  const own = health.filter(({ judgedBy }) => judgedBy !== 'account');
  const [worst] = own.toSorted((left, right) => SEVERITY[right.state] - SEVERITY[left.state]);
  const drain = overrides.find(({ action, method }) => action !== 'force' && method === null) ?? null;
  return (
    <li className="flex flex-wrap gap-x-4 gap-y-2 items-center py-2 border-b border-line">
      {worst !== undefined && <StateBadge state={worst.state} why={worst.why} />}
      <p className="flex-1 min-w-[220px] wrap-anywhere text-sm">
        <strong className="text-base font-semibold">{label}</strong>
        {isNamed && <span className="text-ink-quiet"> {merchantName}</span>}{' '}
        {drain !== null && <span className="font-medium">{OVERRIDE_LABELS[drain.action].past}. </span>}
        {worst !== undefined && healthReasonText(worst)}
      </p>
      <DrainButton account={account} drain={drain} onDrain={() => onDrain(account)} />
    </li>
  );
}
