'use client';

import { useQuery } from '@tanstack/react-query';
import { PageHead } from '#/components/page/page-head.tsx';
import { Freshness } from '#/components/time/freshness.tsx';
import { useAttention } from '#/incidents/use-attention.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { latestInput } from '../latest.ts';
import { Attention } from './attention.tsx';
import { GatewayTable } from './gateway-table.tsx';
import { HealthStrip } from './health-strip.tsx';
import { HourlyChart } from './hourly-chart.tsx';
import { Latest } from './latest.tsx';
import { SetUp } from './setup/setup.tsx';
import { SystemFacts } from './system-facts.tsx';
import { TodayFigures } from './today-figures.tsx';

const REFRESH_MS = 5_000;

/** Today's figures, items that need attention and the latest payments. Every sum links to its list. */
export function OverviewPage({ publicUrl }: { publicUrl: string }) {
  const trpc = useTRPC();
  const scope = useScope();
  const refetchInterval = REFRESH_MS;
  const today = useQuery(trpc.payments.today.queryOptions(scope, { refetchInterval }));
  const latest = useQuery(trpc.payments.list.queryOptions(latestInput(scope), { refetchInterval }));
  const attention = useAttention(refetchInterval);
  const health = useQuery(trpc.system.health.queryOptions(undefined, { refetchInterval }));
  const refresh = () => {
    for (const query of [today, latest, attention, health]) void query.refetch();
  };
  return (
    <div className="max-w-[1440px]">
      <PageHead title="Overview">
        <Freshness updatedAt={today.dataUpdatedAt} fetching={today.isFetching} onRefresh={refresh} />
      </PageHead>
      <SetUp />
      <TodayFigures today={today.data} />
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
