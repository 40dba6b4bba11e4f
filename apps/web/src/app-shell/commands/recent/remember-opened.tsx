'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { whenIdle } from '#/components/when-idle.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RecentObject } from './recent-objects.ts';

/** Remembers, for the command menu of this browser, that the person has opened an object. Renders nothing. */
export function RememberOpened({ kind, id, title, mode, merchantId }: RecentObject) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const staffId = data?.staffId;
  useEffect(() => {
    if (staffId === undefined) return;
    const left = new AbortController();
    // Code that reads and writes the stored ones is loaded when nothing waits for it.
    void whenIdle(left.signal)
      .then(() => import('./recent-objects.ts'))
      .then(({ rememberOpened }) => rememberOpened(staffId, { kind, id, title, mode, merchantId }));
    return () => left.abort();
  }, [staffId, kind, id, title, mode, merchantId]);
  return null;
}
