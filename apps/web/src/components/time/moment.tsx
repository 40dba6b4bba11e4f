'use client';

import { describeMoment, describePast, describeSecond, describeUpcoming, formatTimestamp } from '#/format/moments.ts';
import { useCopy } from '../copyable/copyable.tsx';
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

/** A moment to the second; focus, hover and touch show it to the millisecond with its zone, and a click copies it in ISO 8601. */
export function ExactTime({ value, align = 'end' }: { value: Date; align?: 'start' | 'end' }) {
  const { copied, copy } = useCopy(value.toISOString());
  const exact = formatTimestamp(value);
  return (
    <button
      type="button"
      onClick={copy}
      aria-description={`${exact}. Click to copy.`}
      data-exact={copied ? 'Copied' : exact}
      data-align={align}
      className="relative rounded-sm tabular-nums whitespace-nowrap after:hidden after:content-[attr(data-exact)] after:absolute after:top-full after:right-0 data-[align=start]:after:right-auto data-[align=start]:after:left-0 after:z-10 after:py-1 after:px-2 after:rounded-sm after:border after:border-line after:bg-ground after:text-ink after:text-xs hover:after:block focus-visible:after:block active:after:block print:after:hidden"
    >
      <time dateTime={value.toISOString()}>{describeSecond(value)}</time>
    </button>
  );
}
