'use client';

import { useQuery } from '@tanstack/react-query';
import { HealthFailed } from '#/app/(admin)/health/_components/health-skeleton.tsx';
import { BackLink } from '#/components/back-link/back-link.tsx';
import { ChooseMerchant } from '#/components/choose-merchant/choose-merchant.tsx';
import { PageHead } from '#/components/page/page-head.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { ThresholdsForm } from './thresholds-form.tsx';

/** A merchant's health thresholds: shown, previewed on past outcomes, and changed. */
export function ThresholdsPage() {
  const scope = useScope();
  return (
    <div className="max-w-[1080px]">
      <BackLink href={hrefIn(scope, '/health')}>Health</BackLink>
      <PageHead title="Health thresholds" />
      {scope.merchantId === null ? (
        <ChooseMerchant path="/health/thresholds" why="Each merchant has its own thresholds, in test and in live mode." />
      ) : (
        <OfMerchant key={`${scope.merchantId}|${scope.mode}`} merchantId={scope.merchantId} />
      )}
    </div>
  );
}

function OfMerchant({ merchantId }: { merchantId: string }) {
  const trpc = useTRPC();
  const { mode } = useScope();
  const { data, isError, error, refetch } = useQuery(
    trpc.health.thresholds.queryOptions({ merchantId, mode }, { staleTime: Number.POSITIVE_INFINITY }),
  );
  if (data !== undefined) return <ThresholdsForm key={data.revision} merchantId={merchantId} mode={mode} known={data} />;
  if (isError) return <HealthFailed message={error.message} onRetry={() => void refetch()} />;
  return <div className="h-[420px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading thresholds" />;
}
