import { Button } from '#/components/button/button.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import classes from './health-skeleton.module.css';

const ACCOUNTS = [3, 4, 3];

/** Placeholder of the page while it loads. */
export function HealthSkeleton() {
  return (
    <div role="status" aria-label="Loading health" className={classes.accounts}>
      {ACCOUNTS.map((rows, account) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move.
        <div key={account} className={classes.account} style={{ opacity: 1 - account / (ACCOUNTS.length + 1) }}>
          <span className={classes.name} />
          {Array.from({ length: rows }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike and never move.
            <span key={row} className={classes.row} />
          ))}
        </div>
      ))}
    </div>
  );
}

/** Shown when the page's data could not be loaded. */
export function HealthFailed({ message, onRetry }: { message: string; onRetry: () => void }) {
  return (
    <div className={classes.failed}>
      <Refusal message={message} />
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}
