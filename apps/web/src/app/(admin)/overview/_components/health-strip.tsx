'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { Badge } from '#/components/badge/badge.tsx';
import { FAULT_LABELS } from '#/copy/gateways.ts';
import { HEALTH_LABELS, healthReasonText, healthStateText, SEVERITY } from '#/copy/health.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';

const REFRESH_MS = 5_000;

/** Every account with the worst of its states, in one line. */
export function HealthStrip() {
  const trpc = useTRPC();
  const scope = useScope();
  const can = useCan();
  const allowed = can('health:read');
  const { data } = useQuery(trpc.health.overview.queryOptions(scope, { enabled: allowed, refetchInterval: REFRESH_MS }));
  if (!allowed) return null;
  if (data === undefined)
    return <div className="h-24 rounded-md bg-ground-hover" role="status" aria-label="Loading the health of gateways" />;
  if (data.accounts.length === 0) {
    return (
      <p className="text-ink-faint text-sm">
        No {scope.mode} gateway accounts yet.{' '}
        {can('gateway:configure') && <Link href={hrefIn(scope, '/gateways', { do: 'connect' })}>Connect one</Link>}
      </p>
    );
  }
  return (
    <ul className="grid grid-cols-[repeat(auto-fill,minmax(220px,1fr))] gap-x-6 gap-y-0" aria-label="Health of gateways">
      {data.accounts.map(({ accountId, gatewayTitle, label, merchantName, enabled, fault, health }) => {
        const worst = health.reduce(
          (one, other) => (SEVERITY[other.state] > SEVERITY[one.state] ? other : one),
          health[0] ?? SEEN,
        );
        const { tone } = HEALTH_LABELS[worst.state];
        return (
          <li key={accountId}>
            <Link
              href={hrefIn(scope, fault === null ? '/health' : '/gateways', { account: accountId })}
              className="flex items-center justify-between gap-2 min-h-12 py-1 border-b border-line text-ink text-sm no-underline hover:bg-ground-hover"
              title={fault?.sentence ?? (healthReasonText(worst) || label)}
            >
              <span className="grid min-w-0 font-medium">
                {gatewayTitle}
                <span className="text-ink-faint text-xs font-normal truncate">
                  {scope.merchantId === null ? merchantName : label}
                </span>
              </span>
              {!enabled && <Badge tone="over">Disabled</Badge>}
              {enabled && fault === null && <Badge tone={tone}>{healthStateText(worst)}</Badge>}
              {enabled && fault !== null && (
                <Badge tone="bad" warns>
                  {FAULT_LABELS[fault.kind]}
                </Badge>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

const SEEN = { state: 'healthy', why: null, since: null } as const;
