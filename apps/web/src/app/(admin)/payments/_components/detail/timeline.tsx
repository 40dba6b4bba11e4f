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
    <ol className="grid">
      {steps.map((step, index) => {
        const before = steps[index - 1];
        return (
          <li key={step.key} className={classes.event} data-tone={step.tone}>
            <span className={classes.dot} aria-hidden="true" />
            <div className="min-w-0">
              <p className="text-sm font-semibold">{step.title}</p>
              {step.sentence !== null && <p className="text-ink-quiet text-xs wrap-anywhere">{step.sentence}</p>}
              {step.cause !== null && <p className="text-xs wrap-anywhere text-ink-faint">{step.cause}</p>}
            </div>
            <div className="grid content-start justify-items-end text-ink-quiet text-xs tabular-nums">
              <Moment value={step.at} />
              {before !== undefined && (
                <span className="text-ink-faint">+{describeShortLength(step.at.getTime() - before.at.getTime())}</span>
              )}
            </div>
          </li>
        );
      })}
    </ol>
  );
}
