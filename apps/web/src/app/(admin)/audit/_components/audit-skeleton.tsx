import classes from './audit-page.module.css';

const ROWS = Array.from({ length: 12 }, (_, index) => index);

/** Placeholder of the log while it loads. */
export function AuditSkeleton() {
  return (
    <div className={classes.waiting} role="status" aria-label="Loading the log">
      {ROWS.map((row) => (
        <span key={row} style={{ opacity: 1 - row / (ROWS.length + 2) }} />
      ))}
    </div>
  );
}
