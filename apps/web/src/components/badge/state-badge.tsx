'use client';

import type { StoredHealthReason } from '@switchyard/routing';
import { HEALTH_LABELS, type HealthState, healthStateText } from '#/copy/health.ts';
import { useIsBlind } from '#/liveness/blindness.ts';
import { Badge } from './badge.tsx';

/** A state of health, and whether only other merchants' checkouts are the reason for it. While it cannot be read, nothing is healthy. */
export function StateBadge({ state, why = null }: { state: HealthState; why?: StoredHealthReason }) {
  const isBlind = useIsBlind();
  const { tone, meaning } = HEALTH_LABELS[state];
  if (isBlind && state === 'healthy') return <Badge tone="over">Was healthy</Badge>;
  return (
    <Badge tone={tone} warns={state === 'degraded'} title={meaning}>
      {healthStateText({ state, why })}
    </Badge>
  );
}
