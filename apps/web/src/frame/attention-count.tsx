'use client';

import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { hrefIn } from '../scope/scope.ts';
import { useScope } from '../scope/use-scope.ts';
import { useTRPC } from '../trpc/client.tsx';
import { useMay } from '../trpc/use-may.ts';
import classes from './attention-count.module.css';

const REFRESH_MS = 15_000;

/** How much needs attention, on every page, and the way to it. Nothing while there is nothing. */
export function AttentionCount() {
  const trpc = useTRPC();
  const scope = useScope();
  const may = useMay();
  const enabled = may('payment:read');
  const { data } = useQuery(trpc.attention.list.queryOptions(scope, { enabled, refetchInterval: REFRESH_MS }));
  const count = data?.matters.length ?? 0;
  if (count === 0) return null;
  const words = count === 1 ? '1 thing needs attention' : `${count} things need attention`;
  return (
    <Link href={hrefIn(scope, '/overview')} className={classes.count} aria-label={words} title={words}>
      <IconAlertTriangle size={16} stroke={1.8} aria-hidden="true" />
      {count}
    </Link>
  );
}
