import { Skeleton } from '@mantine/core';
import classes from './payment-story.module.css';

/** A payment's shape while it is on its way. */
export function StorySkeleton() {
  return (
    <div className={classes.story} role="status" aria-label="Loading the payment">
      <Skeleton height={26} width={200} mb={10} />
      <Skeleton height={14} width={320} mb={8} />
      <Skeleton height={14} width={280} />
      {[0, 1, 2].map((section) => (
        <div key={section} className={classes.section}>
          <Skeleton height={18} width={140} mb={18} />
          {[0, 1, 2, 3].map((line) => (
            <Skeleton key={line} height={13} width={`${88 - line * 9}%`} mb={12} />
          ))}
        </div>
      ))}
    </div>
  );
}
