import { HEALTH_LABELS, HEALTH_STATES } from '#/copy/health.ts';
import classes from './strip-legend.module.css';

/** Legend of the marks of a state strip. */
export function StripLegend() {
  return (
    <ul className={classes.legend} aria-label="Legend">
      <li>
        <span className={classes.bar} data-kind="answered" aria-hidden="true" /> Checkouts opened
      </li>
      <li>
        <span className={classes.bar} data-kind="failed" aria-hidden="true" /> Failed
      </li>
      {HEALTH_STATES.map((state) => (
        <li key={state} title={HEALTH_LABELS[state].meaning}>
          <span className={classes.state} data-state={state} aria-hidden="true" /> {HEALTH_LABELS[state].word}
        </li>
      ))}
    </ul>
  );
}
