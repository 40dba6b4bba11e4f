'use client';

import { describeExactly, describeMoment } from '#/format/moments.ts';
import { useNowText } from './now.tsx';

/** A moment, relative to now, exact on hover. */
export function Moment({ value, className }: { value: Date; className?: string | undefined }) {
  const text = useNowText((nowMs) => describeMoment(value, nowMs));
  return (
    <time dateTime={value.toISOString()} title={describeExactly(value)} className={className}>
      {text}
    </time>
  );
}
