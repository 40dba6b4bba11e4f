'use client';

import Link from 'next/link';
import { hrefIn } from '../scope/scope.ts';
import { useScope } from '../scope/use-scope.ts';
import { useCan } from '../trpc/use-can.ts';
import type { Finding } from './use-attention.ts';

/** The page where something is done about a finding; who may not do it can look at it. */
export function FindingLink({ finding, className }: { finding: Finding; className?: string | undefined }) {
  const scope = useScope();
  const can = useCan();
  const { mode, merchantId, title, action } = finding;
  const own = merchantId === null ? scope : { mode, merchantId };
  const label = action.needs === undefined || can(action.needs, merchantId) ? action.label : 'View';
  return (
    <Link href={hrefIn(own, action.path, action.query)} className={className} aria-label={`${label}: ${title}`}>
      {label}
    </Link>
  );
}
