'use client';

import type { ReactNode } from 'react';
import { JsonView } from '#/components/copyable/json-view.tsx';
import type { Tone } from '#/copy/payment-status.ts';
import { describeShortLength } from '#/format/moments.ts';

export interface TimelineStep {
  readonly key: string;
  readonly at: Date;
  readonly title: ReactNode;
  readonly sentence: ReactNode;
  readonly tone: Tone;
  /** The person or thing that caused it; null where the title names it. */
  readonly cause: string | null;
  /** An answer to show below it, as text of JSON. */
  readonly answer?: string;
}

/** A failure differs in shape too. */
const DOTS = {
  good: 'rounded-full border-good bg-good',
  wait: 'rounded-full border-wait bg-ground',
  bad: 'rounded-[2px] border-bad bg-bad',
  over: 'rounded-full border-over bg-ground',
} satisfies Record<TimelineStep['tone'], string>;

/** Steps in order, each with its cause and the time since the step before. */
export function Timeline({ steps, timeOf }: { steps: readonly TimelineStep[]; timeOf: (at: Date) => ReactNode }) {
  return (
    <ol className="grid">
      {steps.map((step, index) => {
        const before = steps[index - 1];
        return (
          <li key={step.key} className="relative grid grid-cols-[14px_minmax(0,1fr)_auto] gap-x-3 pb-4.5 break-inside-avoid">
            {index < steps.length - 1 && (
              <i className="absolute top-3.5 -bottom-1 left-1.5 w-px bg-line-strong" aria-hidden="true" />
            )}
            <span className={`z-1 size-3.25 mt-0.75 border-3 [print-color-adjust:exact] ${DOTS[step.tone]}`} aria-hidden="true" />
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
