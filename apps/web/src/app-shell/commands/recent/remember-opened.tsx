'use client';

import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTRPC } from '#/trpc/client.tsx';
import type { RecentObject } from './recent-objects.ts';

/** Remembers, for the command menu of this browser, that the person has opened an object. Renders nothing. */
export function RememberOpened({ kind, id, title, mode, merchantId }: RecentObject) {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.me.queryOptions(undefined, { staleTime: 60_000 }));
  const staffId = data?.staffId;
  useEffect(() => {
    if (staffId === undefined) return;
    // With it comes what reads the stored ones, which no page has to wait for.
    void import('./recent-objects.ts').then(({ rememberOpened }) =>
      rememberOpened(staffId, { kind, id, title, mode, merchantId }),
    );
  }, [staffId, kind, id, title, mode, merchantId]);
  return null;
}
