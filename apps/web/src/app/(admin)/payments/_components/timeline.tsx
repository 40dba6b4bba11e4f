'use client';

import { Moment } from '../../../../components/moment.tsx';
import { describeShortLength } from '../../../../time/moments.ts';
import { causeWords, describeEvent } from '../../../../words/timeline.ts';
import type { Payment } from './payment-head.tsx';
import classes from './timeline.module.css';

/** What happened, in order: what, who made it happen, and how long it took from the step before. */
export function Timeline({ payment }: { payment: Payment }) {
  return (
    <ol className={classes.line}>
      {payment.timeline.map((event, index) => {
        const before = payment.timeline[index - 1];
        const { title, sentence, tone } = describeEvent(event);
        return (
          <li key={event.eventId} className={classes.event} data-tone={tone}>
            <span className={classes.dot} aria-hidden="true" />
            <div className={classes.what}>
              <p className={classes.title}>{title}</p>
              {sentence !== null && <p className={classes.sentence}>{sentence}</p>}
              <p className={classes.cause}>
                {causeWords(event.cause)}
                {event.actor !== null && `, ${event.actor}`}
              </p>
            </div>
            <div className={classes.when}>
              <Moment value={event.createdAt} />
              {before !== undefined && (
                <span className={classes.since}>
                  +{describeShortLength(event.createdAt.getTime() - before.createdAt.getTime())}
                </span>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
