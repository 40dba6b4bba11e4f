import { dehydrate } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { HydrationBoundary } from '../trpc/hydration-boundary.tsx';
import { pageQueries } from '../trpc/server.ts';

/** A page with what was read for it so far: its queries begin with that in the browser. */
export function Prefetched({ children }: { children: ReactNode }) {
  return <HydrationBoundary state={dehydrate(pageQueries())}>{children}</HydrationBoundary>;
}
