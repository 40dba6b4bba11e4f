import classes from './team-page.module.css';

const ROWS = [1, 2, 3, 4, 5];

/** Placeholder of the team while it loads. */
export function TeamSkeleton() {
  return (
    <div className={classes.waiting} role="status" aria-label="Loading the team">
      {ROWS.map((row) => (
        <span key={row} />
      ))}
    </div>
  );
}
