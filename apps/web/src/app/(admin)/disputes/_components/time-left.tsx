'use client';

import { Moment } from '#/components/time/moment.tsx';
import { useNowText } from '#/components/time/now.tsx';
import { type Dispute, describeTimeLeft } from '#/copy/disputes.ts';
import { describeDayAndClock } from '#/format/moments.ts';

const CLASSES = {
  bad: 'text-bad-ink font-medium',
  wait: 'text-wait-ink',
  over: 'text-ink-quiet',
  good: 'text-ink-quiet',
} as const;

/** The time left to respond to a dispute, and the day and minute when it ends; a dash where there is no date or nothing to respond to. */
export function TimeLeft({ dispute }: { dispute: Pick<Dispute, 'dueAt' | 'state'> }) {
  const { dueAt, state } = dispute;
  const shown = state === 'NEEDS_RESPONSE' ? dueAt : null;
  const tone = useNowText((nowMs) => (shown === null ? 'over' : describeTimeLeft(shown, nowMs).tone));
  if (shown === null) return <span className="text-ink-faint">–</span>;
  return (
    <>
      <Moment
        value={shown}
        describe={(value, nowMs) => describeTimeLeft(value, nowMs).text}
        className={CLASSES[tone as keyof typeof CLASSES]}
      />
      <span className="text-ink-quiet text-xs whitespace-nowrap">
        {' '}
        <Moment value={shown} describe={describeDayAndClock} />
      </span>
    </>
  );
}
