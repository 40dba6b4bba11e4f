import { timeTicks } from './time-ticks.ts';

/** The times below a strip or a chart. */
export function TimeAxis({ from, to, end = 'now' }: { from: Date; to: Date; end?: string }) {
  return (
    <span
      className="relative block h-4 overflow-hidden text-ink-faint text-xs tabular-nums leading-4 whitespace-nowrap"
      aria-hidden="true"
    >
      {timeTicks(from, to).map(({ at, label, place }) => (
        <span key={at.getTime()} className="absolute [transform:translateX(-50%)]" style={{ left: `${place * 100}%` }}>
          {label}
        </span>
      ))}
      <span className="absolute right-0">{end}</span>
    </span>
  );
}
