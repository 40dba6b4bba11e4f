import classes from './time-axis.module.css';
import { timeTicks } from './time-ticks.ts';

/** The times below a strip or a chart. */
export function TimeAxis({ from, to }: { from: Date; to: Date }) {
  return (
    <span className={classes.axis} aria-hidden="true">
      {timeTicks(from, to).map(({ at, label, place }) => (
        <span key={at.getTime()} className={classes.tick} style={{ left: `${place * 100}%` }}>
          {label}
        </span>
      ))}
      <span className={classes.now}>now</span>
    </span>
  );
}
