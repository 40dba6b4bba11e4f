import { timeTicks } from './time-ticks.ts';

/** The times below a strip or a chart. No label reaches beyond its ends, however narrow it is. */
export function TimeAxis({ from, to, end = 'now' }: { from: Date; to: Date; end?: string }) {
  return (
    <span
      className="relative block h-4 overflow-hidden text-ink-faint text-xs tabular-nums leading-4 whitespace-nowrap"
      aria-hidden="true"
    >
      {timeTicks(from, to).map(({ at, label, place }) => (
        <span
          key={at.getTime()}
          className="absolute [transform:translateX(-50%)]"
          style={{ left: `clamp(20px, ${place * 100}%, calc(100% - 56px))` }}
        >
          {label}
        </span>
      ))}
      <span className="absolute right-0">{end}</span>
    </span>
  );
}
