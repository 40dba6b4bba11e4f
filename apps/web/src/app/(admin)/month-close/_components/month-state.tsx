import { Badge } from '#/components/badge/badge.tsx';
import { MONTH_STATES, type MonthItem } from '#/copy/accounting.ts';

/** The state of a month: a badge, or for one that still goes on its word alone. */
export function MonthState({ state }: { state: MonthItem['state'] }) {
  const { word, tone, meaning } = MONTH_STATES[state];
  if (tone === null) {
    return (
      <span className="text-ink-quiet" title={meaning}>
        {word}
      </span>
    );
  }
  return (
    <Badge tone={tone} title={meaning}>
      {word}
    </Badge>
  );
}
