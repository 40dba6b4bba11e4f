'use client';

import { describeMoment, describePast, describeUpcoming, formatTimestamp } from '#/format/moments.ts';
import { useNowText } from './now.tsx';

/** How a moment lies to the present: what happened is never in the future, and what is to happen is `now` once it is time. */
type Tense = 'past' | 'upcoming' | 'either';

const DESCRIBE = { past: describePast, upcoming: describeUpcoming, either: describeMoment } as const;

/** A moment as a relative time, `5 min ago`, with the exact one on hover. The only component that shows relative times. */
export function Moment({
  value,
  tense = 'past',
  describe = DESCRIBE[tense],
  className,
}: {
  value: Date;
  tense?: Tense;
  /** The text, where it is another than `5 min ago`. */
  describe?: ((value: Date, nowMs: number) => string) | undefined;
  className?: string | undefined;
}) {
  const text = useNowText((nowMs) => describe(value, nowMs));
  return (
    <time dateTime={value.toISOString()} title={formatTimestamp(value)} className={className}>
      {text}
    </time>
  );
}
