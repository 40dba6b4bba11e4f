'use client';

import { SHARE_FROM } from '@switchyard/routing';
import { useState } from 'react';
import { linePath } from '#/charts/paths.ts';
import { ScrollArea } from '#/components/scroll-area/scroll-area.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { clockOf, dayAndClockOf, describeLength } from '#/format/moments.ts';
import {
  latencyText,
  type Outage,
  outagesIn,
  rollingShares,
  type StateSpan,
  type StepFigures,
  shareOrCounts,
  shareText,
  stepsIn,
} from './strip-figures.ts';
import { TimeAxis } from './time-axis.tsx';

const HEIGHT = 80;
const DAY_MS = 86_400_000;

interface OverTimeProps {
  readonly steps: readonly StepFigures[];
  readonly spans: readonly StateSpan[];
  readonly stepMs: number;
  /** The end of the time axis in a word. */
  readonly end?: string;
  /** Leaves out lines without a point, and renders nothing where there are none. */
  readonly withoutEmpty?: boolean;
}

/** Success and latency over time as lines, broken where the account was down, or as the table they are drawn from. */
export function OverTime({ steps, spans, stepMs, end = 'now', withoutEmpty = false }: OverTimeProps) {
  const [shown, setShown] = useState<'lines' | 'table'>('lines');
  const lines = pointsOf(steps, spans, stepMs);
  if (withoutEmpty && !lines.hasShares && !lines.hasLatencies) return null;
  return (
    <div className="grid gap-3 justify-items-start mt-4">
      <div className="print:hidden">
        <SegmentedControl
          label="Show as"
          choices={[
            { value: 'lines', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          value={shown}
          onChange={setShown}
        />
      </div>
      {shown === 'lines' ? (
        <Lines lines={lines} steps={steps} stepMs={stepMs} end={end} withoutEmpty={withoutEmpty} />
      ) : (
        <Table steps={steps} stepMs={stepMs} />
      )}
    </div>
  );
}

/** The points of both lines, broken where the account was down. */
function pointsOf(steps: readonly StepFigures[], spans: readonly StateSpan[], stepMs: number) {
  const outages = steps[0] === undefined ? [] : outagesIn(spans, steps[0].at, steps.length, stepMs);
  const isOutage = stepsIn(outages);
  const shares = rollingShares(steps, isOutage);
  const latencies = steps.map(({ latencyMs }, step) => (isOutage(step) ? null : latencyMs));
  const hasShares = shares.some((point) => point !== null);
  return { outages, shares, latencies, hasShares, hasLatencies: latencies.some((value) => value !== null) };
}

interface LinesProps extends Omit<Required<OverTimeProps>, 'spans'> {
  readonly lines: ReturnType<typeof pointsOf>;
}

function Lines({ lines, steps, stepMs, end, withoutEmpty }: LinesProps) {
  const { outages, shares, latencies, hasShares, hasLatencies } = lines;
  const slowest = Math.max(100, ...latencies.map((value) => value ?? 0));
  const down = describeOutages(outages, stepMs);
  const of = { steps, stepMs, outages, end };
  return (
    <div className="grid gap-5 w-full">
      {(hasShares || !withoutEmpty) && (
        <Line
          title="Success rate"
          values={shares.map((point) => point?.share ?? null)}
          max={1}
          ends={['100%', '0%']}
          summary={`${down}${describeLowest(shares, steps, stepMs)}`}
          wordAt={shareOrCounts}
          note={`Points of at least ${SHARE_FROM} checkouts; fewer are counted in the table.`}
          {...of}
        />
      )}
      {(hasLatencies || !withoutEmpty) && (
        <Line
          title="Latency, mean"
          values={latencies}
          max={slowest}
          ends={[latencyText(slowest), '0 ms']}
          summary={`${down}${describeHighest(latencies, steps, stepMs)}`}
          wordAt={({ latencyMs }) => latencyText(latencyMs)}
          {...of}
        />
      )}
    </div>
  );
}

/** `lowest 38.1% in the 10 min to 14:12`: the time that the point is of. */
function describeLowest(shares: ReturnType<typeof rollingShares>, steps: readonly StepFigures[], stepMs: number): string {
  const points = shares.flatMap((point, step) => (point === null ? [] : [{ ...point, end: step + 1 }]));
  const [lowest] = points.toSorted((left, right) => left.share - right.share);
  const first = steps[0];
  if (lowest === undefined || first === undefined) return 'too few checkouts';
  const end = timeOf(new Date(first.at.getTime() + lowest.end * stepMs), stepMs, steps.length);
  return `lowest ${shareText(lowest.share)} in the ${describeLength(lowest.steps * stepMs)} to ${end}`;
}

/** `highest 2.4 s in the 1 min to 14:12` */
function describeHighest(latencies: readonly (number | null)[], steps: readonly StepFigures[], stepMs: number): string {
  const points = latencies.flatMap((value, step) => (value === null ? [] : [{ value, end: step + 1 }]));
  const [highest] = points.toSorted((left, right) => right.value - left.value);
  const first = steps[0];
  if (highest === undefined || first === undefined) return 'no checkouts';
  const end = timeOf(new Date(first.at.getTime() + highest.end * stepMs), stepMs, steps.length);
  return `highest ${latencyText(highest.value)} in the ${describeLength(stepMs)} to ${end}`;
}

/** `down for 38 min, else `, before what the line says of the rest; empty without an outage. */
function describeOutages(outages: readonly Outage[], stepMs: number): string {
  const steps = outages.reduce((sum, { from, to }) => sum + to - from, 0);
  return steps === 0 ? '' : `down for ${describeLength(steps * stepMs)}, else `;
}

interface LineProps {
  readonly title: string;
  readonly values: readonly (number | null)[];
  readonly max: number;
  /** The scale's ends in words, the upper one first. */
  readonly ends: readonly [string, string];
  /** The line in words. */
  readonly summary: string;
  /** A step in words, for the pointer. */
  readonly wordAt: (step: StepFigures) => string;
  readonly note?: string;
  readonly steps: readonly StepFigures[];
  readonly stepMs: number;
  readonly outages: readonly Outage[];
  readonly end: string;
}

/** One line, labelled at its ends, dashed for the step that is not over; under the pointer it shows the value of that step. */
function Line({ title, values, max, ends, summary, wordAt, note, steps, stepMs, outages, end }: LineProps) {
  const [at, setAt] = useState<number | null>(null);
  const step = at === null ? undefined : steps[at];
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
        <span className="absolute left-0 text-ink-faint text-xs leading-none tabular-nums top-0">{ends[0]}</span>
        <span className="absolute left-0 text-ink-faint text-xs leading-none tabular-nums bottom-0">{ends[1]}</span>
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
          {outages.map(({ from, to }) => (
            <rect key={from} className="fill-bad-soft" x={from} y={0} width={to - from} height={HEIGHT} />
          ))}
          {at !== null && <path className="stroke-ink-faint" d={`M${at + 0.5} 0V${HEIGHT}`} vectorEffect="non-scaling-stroke" />}
          <path
            className="fill-none stroke-ink stroke-[1.6] [stroke-linejoin:round] data-[unfinished=true]:[stroke-dasharray:3_3]"
            d={linePath(
              values.map((value, index) => (index < finished ? value : null)),
              range,
              HEIGHT,
            )}
            vectorEffect="non-scaling-stroke"
          />
          <path
            className="fill-none stroke-ink stroke-[1.6] [stroke-linejoin:round] data-[unfinished=true]:[stroke-dasharray:3_3]"
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
        {steps[0] !== undefined && (
          <TimeAxis from={steps[0].at} to={new Date(steps[0].at.getTime() + steps.length * stepMs)} end={end} />
        )}
      </div>
      {note !== undefined && <p className="pl-11 text-ink-faint text-xs">{note}</p>}
    </figure>
  );
}

function Table({ steps, stepMs }: { steps: readonly StepFigures[]; stepMs: number }) {
  const seen = steps.filter(({ succeeded, faulted }) => succeeded + faulted > 0).reverse();
  return (
    <ScrollArea className="w-full max-h-[260px] border-b border-line" label="Figures by step">
      <table className="figures-table [--row:28px] [--between:8px] text-xs whitespace-nowrap [&_thead_th]:sticky [&_thead_th]:top-0 [&_thead_th]:bg-ground">
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
              <td colSpan={5} className="text-start">
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
