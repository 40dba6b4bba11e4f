'use client';

import { describeExactly, describeMoment } from '../format/moments.ts';
import { useNow } from './now.tsx';

/** A moment, relative to now, exact on hover. */
export function Moment({ value, className }: { value: Date; className?: string | undefined }) {
  const now = useNow();
  return (
    <time dateTime={value.toISOString()} title={describeExactly(value)} className={className}>
      {describeMoment(value, now)}
    </time>
  );
}
