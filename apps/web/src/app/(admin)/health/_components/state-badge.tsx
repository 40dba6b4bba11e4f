import { Badge } from '../../../../components/badge.tsx';
import { HEALTH_WORDS, type HealthState } from '../../../../words/health.ts';

/** A state of health; `percent` is the share let through while probing. */
export function StateBadge({ state, percent = 0 }: { state: HealthState; percent?: number }) {
  const { word, tone, meaning } = HEALTH_WORDS[state];
  return (
    <Badge tone={tone} warns={state === 'degraded'} title={meaning}>
      {state === 'probing' ? `${word} ${percent}%` : word}
    </Badge>
  );
}
