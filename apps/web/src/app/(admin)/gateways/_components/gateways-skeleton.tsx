import classes from './gateways-skeleton.module.css';

const ROWS = [0, 1, 2, 3, 4];

/** Placeholder of the list while it loads. */
export function GatewaysSkeleton() {
  return (
    <div role="status" aria-label="Loading gateways">
      {ROWS.map((row) => (
        <div key={row} className={classes.row} style={{ opacity: 1 - row / (ROWS.length + 1) }}>
          <span />
          <span />
          <span />
        </div>
      ))}
    </div>
  );
}
