'use client';

import { type DehydratedState, HydrationBoundary as TanstackBoundary } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { toBrowserTime } from '../clock/server-clock.ts';

/**
 * Gives a page the queries that the server made for it, with their ages by the browser's clock, as its own queries have them: by the
 * server's clock, a newer query could be taken for an older one.
 */
export function HydrationBoundary({ state, children }: { state: DehydratedState; children: ReactNode }) {
  const own = useMemo(() => onBrowserClock(state), [state]);
  return <TanstackBoundary state={own}>{children}</TanstackBoundary>;
}

function onBrowserClock(state: DehydratedState): DehydratedState {
  return {
    ...state,
    queries: state.queries.map((query) => ({
      ...query,
      state: { ...query.state, dataUpdatedAt: toBrowserTime(query.state.dataUpdatedAt) },
    })),
  };
}
