'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';

const SetupChecklist = dynamic(() => import('./setup-checklist.tsx').then((module) => module.SetupChecklist));

const REFRESH_MS = 5_000;

/** The set-up checklist of the merchant, until everything is done or the person has dismissed it; nothing for those who set nothing up. */
export function SetUp() {
  const trpc = useTRPC();
  const { merchantId } = useScope();
  const enabled = useCan()('merchant:update');
  const { data } = useQuery(
    trpc.setup.read.queryOptions(
      { merchantId },
      { enabled, refetchInterval: ({ state }) => (state.data != null && isOpen(state.data) ? REFRESH_MS : false) },
    ),
  );
  return enabled && data != null && isOpen(data) ? <SetupChecklist setup={data} /> : null;
}

function isOpen({ isDone, isDismissed }: { isDone: boolean; isDismissed: boolean }): boolean {
  return !isDone && !isDismissed;
}
