import { HEALTH_LABELS, type HealthState } from '#/copy/health.ts';
import { Badge } from './badge.tsx';

/** A state of health. */
export function StateBadge({ state }: { state: HealthState }) {
  const { word, tone, meaning } = HEALTH_LABELS[state];
  return (
    <Badge tone={tone} warns={state === 'degraded'} title={meaning}>
      {word}
    </Badge>
  );
}
