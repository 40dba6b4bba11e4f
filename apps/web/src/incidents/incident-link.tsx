'use client';

import Link from 'next/link';
import { hrefIn } from '../scope/scope.ts';
import { useScope } from '../scope/use-scope.ts';
import type { Finding } from './use-attention.ts';

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
