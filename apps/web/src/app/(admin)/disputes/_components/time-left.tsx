'use client';

import { Moment } from '#/components/time/moment.tsx';
import { useNowText } from '#/components/time/now.tsx';
import { type Dispute, describeTimeLeft } from '#/copy/disputes.ts';

const CLASSES = {
  bad: 'text-bad-ink font-medium',
  wait: 'text-wait-ink',
  over: 'text-ink-quiet',
  good: 'text-ink-quiet',
} as const;

/** The time left to answer a dispute, exact on hover; a dash where there is no date or nothing to answer. */
export function TimeLeft({ dispute }: { dispute: Pick<Dispute, 'dueAt' | 'state'> }) {
  const { dueAt, state } = dispute;
  const shown = state === 'NEEDS_RESPONSE' ? dueAt : null;
  const tone = useNowText((nowMs) => (shown === null ? 'over' : describeTimeLeft(shown, nowMs).tone));
  if (shown === null) return <span className="text-ink-faint">–</span>;
  return (
    <Moment
      value={shown}
      describe={(value, nowMs) => describeTimeLeft(value, nowMs).text}
      className={CLASSES[tone as keyof typeof CLASSES]}
    />
  );
}
