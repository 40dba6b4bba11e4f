'use client';

import { SHARE_FROM } from '@switchyard/routing';
import { useState } from 'react';
import { linePath } from '#/charts/paths.ts';
import { ScrollArea } from '#/components/scroll-area/scroll-area.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { clockOf, describeLength } from '#/format/moments.ts';
import { dayAndClockOf } from '../clock.ts';
import classes from './over-time.module.css';
import { latencyText, rollingShares, type StepFigures, shareOrCounts, shareText } from './strip-figures.ts';
import { TimeAxis } from './time-axis.tsx';

const HEIGHT = 80;
const DAY_MS = 86_400_000;

/** Success and latency over time as lines, or as the table they are drawn from. */
export function OverTime({ steps, stepMs }: { steps: readonly StepFigures[]; stepMs: number }) {
  const [shown, setShown] = useState<'lines' | 'table'>('lines');
  return (
    <div className="grid gap-3 justify-items-start mt-4">
      <SegmentedControl
        label="Show as"
        choices={[
          { value: 'lines', label: 'Chart' },
          { value: 'table', label: 'Table' },
        ]}
        value={shown}
        onChange={setShown}
      />
      {shown === 'lines' ? <Lines steps={steps} stepMs={stepMs} /> : <Table steps={steps} stepMs={stepMs} />}
    </div>
  );
}

function Lines({ steps, stepMs }: { steps: readonly StepFigures[]; stepMs: number }) {
  const latencies = steps.map(({ latencyMs }) => latencyMs);
  const slowest = Math.max(100, ...latencies.map((value) => value ?? 0));
  return (
    <div className="grid gap-5 w-full">
      <Line
        title="Success rate"
        values={rollingShares(steps)}
        max={1}
        word={shareText}
        wordAt={shareOrCounts}
        note={`Points of at least ${SHARE_FROM} checkouts; fewer are counted in the table.`}
        steps={steps}
        stepMs={stepMs}
      />
      <Line
        title="Latency, mean"
        values={latencies}
        max={slowest}
        word={latencyText}
        wordAt={({ latencyMs }) => latencyText(latencyMs)}
        steps={steps}
        stepMs={stepMs}
      />
    </div>
  );
}

interface LineProps {
  readonly title: string;
  readonly values: readonly (number | null)[];
  readonly max: number;
  readonly word: (value: number | null) => string;
  /** A step in words, for the pointer. */
  readonly wordAt: (step: StepFigures) => string;
  readonly note?: string;
  readonly steps: readonly StepFigures[];
  readonly stepMs: number;
}

/** One line, labelled at its ends, dashed for the step that is not over; under the pointer it shows the value of that step. */
function Line({ title, values, max, word, wordAt, note, steps, stepMs }: LineProps) {
  const [at, setAt] = useState<number | null>(null);
  const step = at === null ? undefined : steps[at];
  const known = values.filter((value) => value !== null);
  const isShare = title === 'Success rate';
  const worst = isShare ? Math.min(...known, 1) : Math.max(...known, 0);
  const summary =
    known.length === 0 ? (isShare ? 'too few checkouts' : 'no checkouts') : `${isShare ? 'lowest' : 'highest'} ${word(worst)}`;
  const range = { min: 0, max };
  const finished = values.length - 1;
  return (
    <figure className="min-w-0">
      <figcaption className="flex justify-between gap-3 mb-1.5 text-xs font-medium">
        <span>{title}</span>
        <span className="text-ink-quiet font-normal tabular-nums">
          {step === undefined ? summary : `${timeOf(step.at, stepMs, steps.length)}: ${wordAt(step)}`}
        </span>
      </figcaption>
      <div className="relative pl-11">
        <span className="absolute left-0 text-ink-faint text-xs leading-none tabular-nums top-0">{word(max)}</span>
        <span className="absolute left-0 text-ink-faint text-xs leading-none tabular-nums bottom-0">
          {isShare ? '0%' : '0 ms'}
        </span>
        <svg
          className="block w-full h-20.5 touch-pan-y"
          viewBox={`0 -1 ${Math.max(values.length, 1)} ${HEIGHT + 2}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${title}: ${summary}`}
          onPointerMove={({ currentTarget, clientX }) => {
            const { left, width } = currentTarget.getBoundingClientRect();
            setAt(Math.min(values.length - 1, Math.max(0, Math.floor(((clientX - left) / width) * values.length))));
          }}
          onPointerLeave={() => setAt(null)}
        >
          <path
            className="stroke-line"
            d={`M0 0H${values.length}M0 ${HEIGHT / 2}H${values.length}M0 ${HEIGHT}H${values.length}`}
            vectorEffect="non-scaling-stroke"
          />
          {at !== null && <path className="stroke-ink-faint" d={`M${at + 0.5} 0V${HEIGHT}`} vectorEffect="non-scaling-stroke" />}
          <path
            className={classes.line}
            d={linePath(
              values.map((value, index) => (index < finished ? value : null)),
              range,
              HEIGHT,
            )}
            vectorEffect="non-scaling-stroke"
          />
          <path
            className={classes.line}
            data-unfinished="true"
            d={linePath(
              values.map((value, index) => (index >= finished - 1 ? value : null)),
              range,
              HEIGHT,
            )}
            vectorEffect="non-scaling-stroke"
          />
        </svg>
      </div>
      <div className="pt-1 pl-11">
        {steps[0] !== undefined && <TimeAxis from={steps[0].at} to={new Date(steps[0].at.getTime() + steps.length * stepMs)} />}
      </div>
      {note !== undefined && <p className="pl-11 text-ink-faint text-xs">{note}</p>}
    </figure>
  );
}

function Table({ steps, stepMs }: { steps: readonly StepFigures[]; stepMs: number }) {
  const seen = steps.filter(({ succeeded, faulted }) => succeeded + faulted > 0).reverse();
  return (
    <ScrollArea className="w-full max-h-[260px] border-b border-line" label="Figures by step">
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">From, {describeLength(stepMs)} each</th>
            <th scope="col">Answered</th>
            <th scope="col">Failed</th>
            <th scope="col">Success rate</th>
            <th scope="col">Latency</th>
          </tr>
        </thead>
        <tbody>
          {seen.map((step) => (
            <tr key={step.at.getTime()}>
              <th scope="row">{timeOf(step.at, stepMs, steps.length)}</th>
              <td>{step.succeeded.toLocaleString('en')}</td>
              <td>{step.faulted.toLocaleString('en')}</td>
              <td>{shareOrCounts(step)}</td>
              <td>{latencyText(step.latencyMs)}</td>
            </tr>
          ))}
          {seen.length === 0 && (
            <tr>
              <td colSpan={5} className={classes.none}>
                No checkouts in this time.
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </ScrollArea>
  );
}

function timeOf(at: Date, stepMs: number, count: number): string {
  return stepMs * count > DAY_MS ? dayAndClockOf(at) : clockOf(at);
}
