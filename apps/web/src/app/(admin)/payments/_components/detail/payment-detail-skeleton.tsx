import classes from './payment-detail-skeleton.module.css';

/** Placeholder of a payment while it loads. */
export function PaymentDetailSkeleton({ asPage = false }: { asPage?: boolean }) {
  return (
    <div className={classes.detail} data-page={asPage} role="status" aria-label="Loading the payment">
      <span className={classes.sum} />
      <span className="w-[46%]" />
      <span className="w-[46%]" />
      {[0, 1, 2].map((section) => (
        <div key={section} className={classes.section}>
          <span className={classes.heading} />
          {[0, 1, 2, 3].map((line) => (
            <span key={line} className="w-[46%]" style={{ width: `${88 - line * 9}%` }} />
          ))}
        </div>
      ))}
    </div>
  );
}
