import { dehydrate, QueryClient } from '@tanstack/react-query';
import { createTRPCOptionsProxy } from '@trpc/tanstack-react-query';
import { cache, type ReactNode } from 'react';
import { processSwitchyard } from '../server/native/process.ts';
import { appRouter } from '../server/native/trpc.ts';
import { currentSession } from '../server/session.ts';
import { HydrationBoundary } from './hydration-boundary.tsx';

const FRESH_MS = 10_000;

/** The queries of this request so far, to be sent to the browser with the page. */
export const pageQueries = cache(() => new QueryClient({ defaultOptions: { queries: { staleTime: FRESH_MS, retry: false } } }));

/** The procedures, called in this process on behalf of the viewer of the page. */
export const serverTrpc = cache(() =>
  createTRPCOptionsProxy({
    router: appRouter,
    queryClient: pageQueries,
    ctx: async () => ({ switchyard: processSwitchyard(), session: await currentSession() }),
  }),
);

/** A page with what was read for it so far: its queries begin with that in the browser. */
export function Prefetched({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(pageQueries())}>{children}</HydrationBoundary>;
}
