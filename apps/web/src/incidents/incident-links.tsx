'use client';

import Link from 'next/link';
import { hrefIn } from '../scope/scope.ts';
import { useScope } from '../scope/use-scope.ts';
import { useCan } from '../trpc/use-can.ts';
import type { Finding } from './use-attention.ts';

/** Severities in a word, with their tone. Information is work that waits without a fault. */
export const SEVERITY_LABELS = {
  critical: { word: 'Critical', tone: 'bad' },
  warning: { word: 'Warning', tone: 'wait' },
  info: { word: 'To do', tone: 'wait' },
} as const;

/** The title of a finding, leading to the page of its incident where it has one. */
export function IncidentLink({ incident: { incidentId, title } }: { incident: Pick<Finding, 'incidentId' | 'title'> }) {
  const scope = useScope();
  if (incidentId === null) return title;
  return (
    <Link
      href={hrefIn(scope, `/alerts/${incidentId}`)}
      prefetch={false}
      className="text-ink no-underline hover:underline hover:underline-offset-3"
    >
      {title}
    </Link>
  );
}

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
