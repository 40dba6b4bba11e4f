'use client';

import { useMutation, useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useQueryState } from 'nuqs';
import { useState } from 'react';
import { canaryParser } from '#/app/(admin)/routing/address.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { PageFailed } from '#/components/page/page-failed.tsx';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { describeShare, successRate } from '#/format/amounts.ts';
import { formatTimestamp } from '#/format/moments.ts';
import { reportRefusal } from '#/forms/reply.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { RoutingSkeleton } from '../list/routing-skeleton.tsx';
import { useRefreshRouting } from '../publish/use-publication.ts';
import { usePeople, useRoutingScope } from '../queries/use-routing.ts';
import { CanaryChart } from './canary-chart.tsx';
import { type Canary, canaryState, describeCanary, describeDifference, describeLoss, versionName } from './describe-canary.ts';

const PromoteDialog = dynamic(() => import('./canary-dialogs.tsx').then((module) => module.PromoteDialog));
const WidenDialog = dynamic(() => import('./canary-dialogs.tsx').then((module) => module.WidenDialog));

const REFRESH_MS = 10_000;
/** The greatest share of customers that a version can be tried with, in percent. */
const SHARE_MAX = 50;

/** Versions that were tried with a share of customers: the one that runs or was chosen, with its evidence, and the earlier ones. */
export function CanaryPage() {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const [chosen, setChosen] = useQueryState('canary', canaryParser.withOptions({ history: 'push' }));
  const { data, isError, refetch } = useQuery(trpc.routing.canaries.list.queryOptions(scope, { refetchInterval: REFRESH_MS }));
  const shown = data?.find(({ canaryId }) => canaryId === chosen) ?? data?.[0];
  const others = data?.filter((each) => each !== shown) ?? [];
  return (
    <>
      <BackLink href={hrefIn(scope, '/routing')}>Rules</BackLink>
      <PageHead title="Trials of rules" />
      {data === undefined && !isError && <RoutingSkeleton />}
      {data === undefined && isError && <PageFailed code={undefined} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <p className="max-w-[70ch] text-ink-quiet">
          No version has been tried in {scope.mode} mode yet. A draft can be published for a share of customers: it is promoted
          once they show that it is not worse, and rolled back if it is.{' '}
          <Link href={hrefIn(scope, '/routing')}>Go to the rules</Link>
        </p>
      )}
      {shown !== undefined && <Trial key={shown.canaryId} canary={shown} />}
      {others.length > 0 && (
        <section className="mt-8" aria-labelledby="others">
          <h2 className="mb-2 text-lg font-semibold" id="others">
            Other trials
          </h2>
          <ul className="grid gap-1">
            {others.map((each) => (
              <li key={each.canaryId} className="flex flex-wrap gap-x-3 gap-y-1 items-center">
                <Button variant="plain" onClick={() => void setChosen(each.canaryId)}>
                  Version {each.version}
                </Button>
                <StateBadge canary={each} />
                <span className="text-ink-faint text-sm">
                  {each.percent}% of customers, started <Moment value={each.startedAt} />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

/** The state of a trial in colour and word. */
export function StateBadge({ canary }: { canary: Pick<Canary, 'ended'> }) {
  const { ended } = canary;
  const tone =
    ended === null ? 'wait' : ended === 'PROMOTED' ? 'good' : ended === 'ROLLED_BACK' || ended === 'REFUSED' ? 'bad' : 'over';
  return <Badge tone={tone}>{canaryState(canary)}</Badge>;
}

function Trial({ canary }: { canary: Canary }) {
  const trpc = useTRPC();
  const { merchantId } = useRoutingScope();
  const { canaryId, version, liveVersion, endedAt } = canary;
  const isRunning = endedAt === null;
  const { data: described } = useQuery(
    trpc.routing.canaries.byId.queryOptions({ merchantId, canaryId }, isRunning ? { refetchInterval: REFRESH_MS } : {}),
  );
  return (
    <>
      <div className="flex flex-wrap gap-x-4 gap-y-2 items-center justify-between mb-2">
        <h2 className="flex flex-wrap gap-2 items-center text-lg font-semibold">
          Version {version} against {versionName(liveVersion)} <StateBadge canary={canary} />
        </h2>
        {isRunning && <Actions canary={canary} />}
      </div>
      <p className="max-w-[90ch] mb-4" role="status">
        {describeCanary(canary)}
      </p>
      <div className="grid grid-cols-1 gap-8 laptop:grid-cols-[minmax(0,1fr)_340px] laptop:gap-12 laptop:max-w-[1440px]">
        <div className="min-w-0">
          {described === undefined ? <RoutingSkeleton /> : <CanaryChart canary={described} />}
          <Bounds canary={canary} />
        </div>
        <Facts canary={canary} />
      </div>
    </>
  );
}

function Facts({ canary }: { canary: Canary }) {
  const { nameOf } = usePeople();
  const { draft, live, version, liveVersion, percent, toleratedLoss, horizonMinutes, ...of } = canary;
  const arm = ({ customers, paid }: Canary['draft']) =>
    customers === 0
      ? 'No customers yet'
      : `${successRate(paid, customers - paid)} of ${customers.toLocaleString('en')} customers paid`;
  const customers = draft.customers + live.customers;
  return (
    <section aria-label="Figures">
      <DescriptionList>
        <Description name={`Version ${version}`} strong>
          {arm(draft)}
        </Description>
        <Description name={liveVersion === 0 ? 'Order of the accounts' : `Version ${liveVersion}`} strong>
          {arm(live)}
        </Description>
        <Description name="Difference">{describeDifference(canary)}</Description>
        <Description name="Share of customers">
          {`${percent}%${customers === 0 ? '' : `, ${describeShare(draft.customers, customers)} of those counted`}`}
        </Description>
        <Description name="Tolerated loss">{describeLoss(toleratedLoss)}</Description>
        <Description name="Time to pay">{`${horizonMinutes} min`}</Description>
        <Description name="Started">
          <Moment value={of.startedAt} /> by {nameOf(of.startedBy)}
        </Description>
        {of.endedAt === null && (
          <Description name="Ends at the latest">
            <Moment value={of.endsAt} tense="upcoming" />
          </Description>
        )}
        {of.endedAt !== null && (
          <Description name={canaryState(canary)}>
            <span title={formatTimestamp(of.endedAt)}>
              <Moment value={of.endedAt} /> by {nameOf(of.endedBy)}
            </span>
          </Description>
        )}
        <Description name="Reason">{of.reason}</Description>
      </DescriptionList>
    </section>
  );
}

/** The promise of the two bounds. */
function Bounds({ canary: { toleratedLoss } }: { canary: Canary }) {
  const loss = describeLoss(toleratedLoss);
  return (
    <p className="max-w-[80ch] mt-4 text-ink-faint text-sm">
      However often you look: a version that is always worse by {loss} or more is promoted in at most 5 of 100 trials, and one
      that is never worse by more than {loss} is rolled back in at most 1 of 100. Each customer counts once, by the first payment.
    </p>
  );
}

function Actions({ canary }: { canary: Canary }) {
  const trpc = useTRPC();
  const { merchantId } = useRoutingScope();
  const may = useCan()('routing:publish', merchantId);
  const refresh = useRefreshRouting();
  const [asking, setAsking] = useState<'promote' | 'widen' | null>(null);
  const stop = useMutation(trpc.routing.canaries.stop.mutationOptions());
  if (!may) return null;
  const { canaryId, version, liveVersion, percent } = canary;
  async function stopNow(): Promise<string | null> {
    const outcome = await stop.mutateAsync({ merchantId, canaryId });
    await refresh();
    if (outcome.kind !== 'stopped') return 'It had ended already.';
    showToast({ text: `Version ${version} was stopped. All customers are routed by ${versionName(liveVersion)}.` });
    return null;
  }
  return (
    <div className="flex flex-wrap gap-2">
      {percent < SHARE_MAX && <Button onClick={() => setAsking('widen')}>More customers</Button>}
      <Button onClick={() => setAsking('promote')}>Promote now</Button>
      <Button variant="danger" loading={stop.isPending} onClick={() => void reportRefusal(stopNow())}>
        Stop the trial
      </Button>
      {asking === 'widen' && <WidenDialog canary={canary} onClose={() => setAsking(null)} />}
      {asking === 'promote' && <PromoteDialog canary={canary} onClose={() => setAsking(null)} />}
    </div>
  );
}

/** A running trial in one line, for the rules page; nothing while none runs. */
export function CanaryStrip() {
  const trpc = useTRPC();
  const scope = useRoutingScope();
  const { data } = useQuery(trpc.routing.canaries.list.queryOptions(scope, { refetchInterval: REFRESH_MS }));
  const running = data?.find(({ endedAt }) => endedAt === null);
  if (running === undefined) return null;
  return (
    <section
      className="flex flex-wrap gap-x-3 gap-y-1 items-center mb-3 py-2 px-3 border border-line rounded-md"
      aria-label="Trial"
    >
      <StateBadge canary={running} />
      <span className="flex-1 min-w-[240px]">{describeCanary(running)}</span>
      <Link href={hrefIn(scope, '/routing/canary')}>View trial</Link>
    </section>
  );
}
