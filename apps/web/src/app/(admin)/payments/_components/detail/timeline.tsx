'use client';

import { Moment } from '#/components/time/moment.tsx';
import { buildTimeline } from '#/copy/timeline.ts';
import { describeShortLength } from '#/format/moments.ts';
import type { Payment } from './payment-head.tsx';
import classes from './timeline.module.css';

/** The timeline: each event with its cause and the time since the event before. */
export function Timeline({ payment }: { payment: Payment }) {
  const steps = buildTimeline(payment.timeline, payment.attempts, payment.people);
  return (
    <ol className={classes.line}>
      {steps.map((step, index) => {
        const before = steps[index - 1];
        return (
          <li key={step.key} className={classes.event} data-tone={step.tone}>
            <span className={classes.dot} aria-hidden="true" />
            <div className={classes.description}>
              <p className={classes.title}>{step.title}</p>
              {step.sentence !== null && <p className={classes.sentence}>{step.sentence}</p>}
              {step.cause !== null && <p className={classes.cause}>{step.cause}</p>}
            </div>
            <div className={classes.time}>
              <Moment value={step.at} />
              {before !== undefined && (
                <span className={classes.since}>+{describeShortLength(step.at.getTime() - before.at.getTime())}</span>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
