'use client';

import { useQuery } from '@tanstack/react-query';
import { BackLink } from '#/components/back-link/back-link.tsx';
import { NothingHere } from '#/components/page/nothing-here.tsx';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { failureCode, useTRPC } from '#/trpc/client.tsx';
import { EndpointView } from './endpoint-view.tsx';

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
