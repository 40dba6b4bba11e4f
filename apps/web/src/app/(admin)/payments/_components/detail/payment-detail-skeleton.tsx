import classes from './payment-detail-skeleton.module.css';

/** Placeholder of a payment while it loads. */
export function PaymentDetailSkeleton({ asPage = false }: { asPage?: boolean }) {
  return (
    <div className={classes.detail} data-page={asPage} role="status" aria-label="Loading the payment">
      <span className={classes.sum} />
      <span className={classes.line} />
      <span className={classes.line} />
      {[0, 1, 2].map((section) => (
        <div key={section} className={classes.section}>
          <span className={classes.heading} />
          {[0, 1, 2, 3].map((line) => (
            <span key={line} className={classes.line} style={{ width: `${88 - line * 9}%` }} />
          ))}
        </div>
      ))}
    </div>
  );
}
