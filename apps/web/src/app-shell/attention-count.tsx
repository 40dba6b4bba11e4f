'use client';

import { IconAlertTriangle } from '@tabler/icons-react';
import Link from 'next/link';
import { useEffect, useState } from 'react';
import { useAttention } from '../incidents/use-attention.ts';
import { hrefIn } from '../scope/scope.ts';
import { useScope } from '../scope/use-scope.ts';
import { useCan } from '../trpc/use-can.ts';

const REFRESH_MS = 15_000;

/**
 * The number of items that need attention, with a link to them, on every page. Renders nothing while there are none.
 *
 * It queries only after hydration: a query started in the frame would mark the data prefetched by a page as stale.
 */
export function AttentionCount() {
  const [alive, setAlive] = useState(false);
  useEffect(() => setAlive(true), []);
  const can = useCan();
  return alive && can('alert:read') ? <Count /> : null;
}

function Count() {
  const scope = useScope();
  const { data } = useAttention(REFRESH_MS);
  const count = data?.items.length ?? 0;
  if (count === 0) return null;
  const words = count === 1 ? '1 item needs attention' : `${count} items need attention`;
  return (
    <Link
      href={hrefIn(scope, '/overview')}
      className="inline-flex flex-none gap-1 items-center h-8 px-2 rounded-md text-bad-ink text-sm font-medium tabular-nums no-underline hover:bg-ground-hover"
      aria-label={words}
      title={words}
    >
      <IconAlertTriangle size={16} stroke={1.8} aria-hidden="true" />
      {count}
    </Link>
  );
}
