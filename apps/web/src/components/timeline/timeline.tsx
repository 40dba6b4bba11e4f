'use client';

import type { ReactNode } from 'react';
import { JsonView } from '#/components/copyable/json-view.tsx';
import type { Tone } from '#/copy/payment-status.ts';
import { describeShortLength } from '#/format/moments.ts';
import classes from './timeline.module.css';

/** One step of a timeline. */
export interface TimelineStep {
  readonly key: string;
  readonly at: Date;
  readonly title: ReactNode;
  readonly sentence: ReactNode;
  readonly tone: Tone;
  /** Who or what caused it; null where the title names it. */
  readonly cause: string | null;
  /** An answer to show below it, as text of JSON. */
  readonly answer?: string;
}

/** Steps in order, each with its cause and the time since the step before. */
export function Timeline({ steps, timeOf }: { steps: readonly TimelineStep[]; timeOf: (at: Date) => ReactNode }) {
  return (
    <ol className="grid">
      {steps.map((step, index) => {
        const before = steps[index - 1];
        return (
          <li key={step.key} className={classes.event} data-tone={step.tone}>
            <span className={classes.dot} aria-hidden="true" />
            <div className="min-w-0">
              <p className="text-sm font-semibold wrap-anywhere">{step.title}</p>
              {step.sentence !== null && <p className="text-ink-quiet text-xs wrap-anywhere">{step.sentence}</p>}
              {step.answer !== undefined && (
                <details className="text-xs">
                  <summary className="text-ink-quiet cursor-pointer">What was answered</summary>
                  <JsonView text={step.answer} label="what was answered" />
                </details>
              )}
              {step.cause !== null && <p className="text-xs wrap-anywhere text-ink-faint">{step.cause}</p>}
            </div>
            <div className="grid content-start justify-items-end text-ink-quiet text-xs tabular-nums">
              {timeOf(step.at)}
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
