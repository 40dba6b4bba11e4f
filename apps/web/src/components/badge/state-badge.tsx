import type { StoredHealthReason } from '@switchyard/routing';
import { HEALTH_LABELS, type HealthState, healthStateText } from '#/copy/health.ts';
import { Badge } from './badge.tsx';

/** A state of health, and whether only other merchants' checkouts are the reason for it. */
export function StateBadge({ state, why = null }: { state: HealthState; why?: StoredHealthReason }) {
  const { tone, meaning } = HEALTH_LABELS[state];
  return (
    <Badge tone={tone} warns={state === 'degraded'} title={meaning}>
      {healthStateText({ state, why })}
    </Badge>
  );
}
