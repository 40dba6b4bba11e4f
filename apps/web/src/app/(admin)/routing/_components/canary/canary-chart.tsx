'use client';

import { useState } from 'react';
import { ScrollArea } from '#/components/scroll-area/scroll-area.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { Moment } from '#/components/time/moment.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { describeMark } from './describe-canary.ts';

type Described = RouterOutputs['routing']['canaries']['byId'];
type Line = Described['line'];

const HEIGHT = 200;
const WIDTH = 1_000;
/** Evidence at the top and at the foot of the drawing: enough is 1. */
const TOP = 1.15;
const FOOT = -0.5;
const MARKS_NAMED = 6;
const ROWS_MAX = 40;

/** The evidence for promoting and for rolling back, customer by customer, against what either takes; or the table it is drawn from. */
export function CanaryChart({ canary }: { canary: Described }) {
  const [shown, setShown] = useState<'chart' | 'table'>('chart');
  const { line } = canary;
  return (
    <section aria-labelledby="evidence">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 mb-3">
        <h2 className="flex-1 min-w-[120px] text-lg font-semibold tracking-[-0.005em]" id="evidence">
          Evidence
        </h2>
        <SegmentedControl
          label="Show as"
          choices={[
            { value: 'chart', label: 'Chart' },
            { value: 'table', label: 'Table' },
          ]}
          value={shown}
          onChange={setShown}
        />
      </div>
      {line.length === 0 && (
        <p className="max-w-[70ch] text-ink-faint text-sm">
          A customer counts {canary.countsAfterMinutes} minutes after the payment was initiated: the time to pay is over by then,
          and late answers of gateways have come. The first points appear after that.
        </p>
      )}
      {line.length > 0 && (shown === 'chart' ? <Drawing canary={canary} /> : <Table line={line} />)}
      <Marks canary={canary} />
    </section>
  );
}

function Drawing({ canary: { line, marks } }: { canary: Described }) {
  const [at, setAt] = useState<number | null>(null);
  const last = line.at(-1);
  const chosen = (at === null ? undefined : line[at]) ?? last;
  const y = (value: number) => Math.round((HEIGHT * (TOP - Math.min(TOP, Math.max(FOOT, value)))) / (TOP - FOOT));
  const x = (customers: number) => Math.round((WIDTH * customers) / (last?.customers ?? 1));
  const pathOf = (side: 'promote' | 'rollBack') =>
    `M0 ${y(0)}${line.map((point) => `L${x(point.customers)} ${y(point[side])}`).join('')}`;
  return (
    <figure>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 mb-2.5 text-ink-quiet text-xs">
        <span>
          <i className="inline-block w-3.5 mr-1.5 border-t-2 border-accent align-middle" aria-hidden="true" />
          For promoting
        </span>
        <span>
          <i className="inline-block w-3.5 mr-1.5 border-t-2 border-dashed border-bad align-middle" aria-hidden="true" />
          For rolling back
        </span>
        {chosen !== undefined && (
          <span className="flex-1 min-w-[240px] text-ink tabular-nums text-right max-phone:text-left" role="status">
            After {chosen.customers.toLocaleString('en')} customers: {evidenceText(chosen.promote)} for promoting,{' '}
            {evidenceText(chosen.rollBack)} for rolling back
          </span>
        )}
      </figcaption>
      <div className="relative pl-14">
        <span
          className="absolute left-0 w-[3rem] text-ink-faint text-xs leading-none text-right -translate-y-1/2"
          style={{ top: `${(y(1) / HEIGHT) * 100}%` }}
        >
          Enough
        </span>
        <span
          className="absolute left-0 w-[3rem] text-ink-faint text-xs leading-none text-right -translate-y-1/2"
          style={{ top: `${(y(0) / HEIGHT) * 100}%` }}
        >
          None
        </span>
        <svg
          className="block w-full h-[200px] touch-pan-y"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label="Evidence for promoting and for rolling back, by the number of customers, against what either takes"
          onPointerMove={({ currentTarget, clientX }) => {
            const { left, width } = currentTarget.getBoundingClientRect();
            const customers = ((clientX - left) / width) * (last?.customers ?? 1);
            const index = line.findIndex((point) => point.customers >= customers);
            setAt(index < 0 ? line.length - 1 : index);
          }}
          onPointerLeave={() => setAt(null)}
        >
          {marks.map((mark) => (
            <path
              key={`${mark.kind} ${mark.accountLabel} ${mark.from.getTime()}`}
              className={mark.kind === 'outage' ? 'fill-bad opacity-60' : 'fill-wait opacity-60'}
              d={markPath(mark, line, x)}
            />
          ))}
          <path className="fill-none stroke-line" d={`M0 ${y(0)}H${WIDTH}`} vectorEffect="non-scaling-stroke" />
          <path
            className="fill-none stroke-ink-faint [stroke-dasharray:4_4]"
            d={`M0 ${y(1)}H${WIDTH}`}
            vectorEffect="non-scaling-stroke"
          />
          <path className="fill-none stroke-accent stroke-[1.8]" d={pathOf('promote')} vectorEffect="non-scaling-stroke" />
          <path
            className="fill-none stroke-bad stroke-[1.8] [stroke-dasharray:6_3]"
            d={pathOf('rollBack')}
            vectorEffect="non-scaling-stroke"
          />
          {at !== null && chosen !== undefined && (
            <path className="stroke-ink-faint" d={`M${x(chosen.customers)} 0V${HEIGHT}`} vectorEffect="non-scaling-stroke" />
          )}
        </svg>
      </div>
      <div className="flex justify-between ml-14 pt-1 text-ink-faint text-xs tabular-nums" aria-hidden="true">
        <span>First customer</span>
        <span>{(last?.customers ?? 0).toLocaleString('en')} customers</span>
      </div>
    </figure>
  );
}

/** A bar at the foot of the drawing over the customers of a time; as wide as is seen where there was none. */
function markPath({ from, to }: Described['marks'][number], line: Line, x: (customers: number) => number): string {
  const placeOf = (moment: Date) => line.findLast((point) => point.at <= moment)?.customers ?? 0;
  const begin = x(placeOf(from));
  const end = to === null ? WIDTH : x(placeOf(to));
  return `M${begin} ${HEIGHT}v-8H${Math.min(WIDTH, Math.max(begin + 4, end))}v8z`;
}

/** `64%`; negative evidence counts as 0. */
function evidenceText(evidence: number): string {
  return `${Math.max(0, Math.floor(evidence * 100))}%`;
}

function Marks({ canary: { marks } }: { canary: Described }) {
  if (marks.length === 0) return null;
  return (
    <div className="mt-3 text-sm">
      <p className="text-ink-quiet">Meanwhile; both groups of customers met it, so the trial goes on:</p>
      <ul className="pl-4.5 list-disc">
        {marks.slice(0, MARKS_NAMED).map((mark) => (
          <li key={`${mark.kind} ${mark.accountLabel} ${mark.from.getTime()}`}>
            <Moment value={mark.from} />: {describeMark(mark)}
          </li>
        ))}
        {marks.length > MARKS_NAMED && <li>and {marks.length - MARKS_NAMED} more</li>}
      </ul>
    </div>
  );
}

function Table({ line }: { line: Line }) {
  const step = Math.max(1, Math.ceil(line.length / ROWS_MAX));
  const rows = line.filter((_, index) => index % step === 0 || index === line.length - 1);
  return (
    <ScrollArea className="max-h-[320px] border-b border-line" label="Evidence by customers">
      <table className="figures-table whitespace-nowrap [--row:30px] [&_thead_th]:sticky [&_thead_th]:top-0 [&_thead_th]:bg-ground">
        <thead>
          <tr>
            <th scope="col">Customers</th>
            <th scope="col">For promoting</th>
            <th scope="col">For rolling back</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((point) => (
            <tr key={point.customers}>
              <th scope="row">{point.customers.toLocaleString('en')}</th>
              <td>{evidenceText(point.promote)}</td>
              <td>{evidenceText(point.rollBack)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}
