import type { Metadata } from 'next';
import { notFound, redirect } from 'next/navigation';
import { viewerZone } from '#/format/zone.ts';
import { hrefIn, loadScope } from '#/scope/scope.ts';
import { failureCode } from '#/server/failure-code.ts';
import type { PageQuery } from '#/server/session.ts';
import { Prefetched, pageQueries, serverTrpc } from '#/trpc/server.tsx';
import { IncidentPage } from './_components/incident-page.tsx';

export const metadata: Metadata = { title: 'Incident' };

export default async function Page({
  params,
  searchParams,
}: {
  params: Promise<{ incidentId: string }>;
  searchParams: PageQuery;
}) {
  const { incidentId } = await params;
  const scope = await loadScope(searchParams);
  const queries = pageQueries();
  const input = { incidentId, zone: viewerZone() };
  const incident = await queries.fetchQuery(serverTrpc().incidents.byId.queryOptions(input)).catch((error: unknown) => {
    if (['NOT_FOUND', 'BAD_REQUEST'].includes(failureCode(error) ?? '')) notFound();
    throw error;
  });
  // The mode band shows the incident's mode; the workspace's own has none.
  const hasMode = incident.merchantId !== null || incident.kind === 'correlated_outage';
  if (scope.mode === null || (hasMode && scope.mode !== incident.mode)) {
    redirect(hrefIn({ mode: incident.mode, merchantId: scope.merchant }, `/alerts/${incidentId}`));
  }
  return (
    <Prefetched>
      <IncidentPage incidentId={incidentId} />
    </Prefetched>
  );
}
