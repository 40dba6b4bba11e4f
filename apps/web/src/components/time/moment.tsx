'use client';

import { describeMoment, formatTimestamp } from '#/format/moments.ts';
import { useNowText } from './now.tsx';

/** A moment as a relative time, `in 1 h`, with the exact one on hover. The only component that shows relative times. */
export function Moment({
  value,
  describe = describeMoment,
  className,
}: {
  value: Date;
  /** The text, where it is another than `in 1 h`. */
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
