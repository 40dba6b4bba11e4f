import { dehydrate } from '@tanstack/react-query';
import { cookies } from 'next/headers';
import { NuqsAdapter } from 'nuqs/adapters/next/app';
import type { ReactNode } from 'react';
import { SessionEnd } from '#/app/sign-in/_components/session-end.tsx';
import { Frame } from '#/app-shell/app-shell.tsx';
import { RAIL_COOKIE } from '#/app-shell/navigation/rail.ts';
import { ZoneCookie } from '#/app-shell/zone-cookie.tsx';
import { serverNow } from '#/clock/server-clock.ts';
import { NowProvider } from '#/components/time/now.tsx';
import { describeRoles } from '#/copy/roles.ts';
import { requestedScope, requireSession } from '#/server/session.ts';
import { TrpcClientProvider } from '#/trpc/client.tsx';
import { HydrationBoundary } from '#/trpc/hydration-boundary.tsx';
import { pageQueries, serverTrpc } from '#/trpc/server.tsx';

export default async function AdminLayout({ children }: { children: ReactNode }) {
  const { name, email, grants, timeZone } = await requireSession();
  const rail = (await cookies()).get(RAIL_COOKIE)?.value === 'on';
  await Promise.all([
    pageQueries().prefetchQuery(serverTrpc().me.queryOptions()),
    pageQueries().prefetchQuery(serverTrpc().account.tables.queryOptions()),
    pageQueries().prefetchQuery(serverTrpc().merchants.list.queryOptions()),
    pageQueries().prefetchQuery(serverTrpc().alerts.outage.queryOptions(await requestedScope())),
  ]);
  return (
    <NuqsAdapter>
      <TrpcClientProvider>
        <NowProvider initial={serverNow()}>
          <HydrationBoundary state={dehydrate(pageQueries())}>
            <ZoneCookie timeZone={timeZone} />
            <SessionEnd />
            <Frame rail={rail} user={{ name, email, role: describeRoles(grants) }}>
              {children}
            </Frame>
          </HydrationBoundary>
        </NowProvider>
      </TrpcClientProvider>
    </NuqsAdapter>
  );
}
