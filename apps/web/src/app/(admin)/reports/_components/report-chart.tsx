'use client';

import { SHARE_FROM } from '@switchyard/routing';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { Group, Measure } from '../filters.ts';
import { COLUMNS, drawn, isTooFew, nameOf, type ReportRow, rowKey } from '../report.ts';
import { figureOf, formatFigureShort } from './figures.ts';

const HEIGHT = 220;
const LEFT = 8;
const RIGHT = 64;
const TOP = 16;
const BOTTOM = 24;
const BARS_MAX = 12;
const NAMES = { day: 'Days', week: 'Weeks', month: 'Months' } as const;

/** The measure drawn: over time as a line with the period before as a pale one, else a bar for each group. */
export function ReportChart({
  rows,
  group,
  measure,
  currency,
  isUnfinished,
}: {
  rows: readonly ReportRow[];
  group: Group;
  measure: Measure;
  currency: string;
  /** True if the last period is not over: the line to it is dashed. */
  isUnfinished: boolean;
}) {
  const timed = group === 'day' || group === 'week' || group === 'month';
  const column = COLUMNS[measure].at(-1);
  const hasGaps = rows.some(({ sums }) => column !== undefined && sums.payments > 0 && isTooFew(column, sums));
  return timed && rows.length > 1 ? (
    <>
      <Lines rows={rows} group={group} measure={measure} currency={currency} isUnfinished={isUnfinished} />
      {hasGaps && (
        <p className="text-ink-faint text-xs">
          {`${NAMES[group]} with fewer than ${SHARE_FROM} finished payments have no rate; the table counts them.`}
        </p>
      )}
    </>
  ) : (
    <Bars rows={rows} group={group} measure={measure} currency={currency} />
  );
}

/** The baseline of a label, moved as far as needed to lie inside the chart. */
function inside(y: number): number {
  return Math.min(Math.max(y, TOP), HEIGHT - BOTTOM);
}

/** A round number at or above another. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const size = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 2.5, 5, 10].find((step) => step * size >= value) ?? 10) * size;
}

function Lines({ rows, group, measure, currency, isUnfinished }: Parameters<typeof ReportChart>[0]) {
  const { ref, width } = useWidth();
  const column = COLUMNS[measure].at(-1);
  const kind = column?.kind ?? 'count';
  const now = rows.map((row) => drawn(measure, row.sums));
  const before = rows.map((row) => drawn(measure, row.previous));
  const values = [...now, ...before].filter((value) => value !== null);
  const top = kind === 'share' ? 1 : roundUp(Math.max(0, ...values));
  const bottom = Math.min(0, ...values);
  const x = (at: number) => LEFT + (at / Math.max(1, rows.length - 1)) * Math.max(0, width - LEFT - RIGHT);
  const y = (value: number) => TOP + (1 - (value - bottom) / (top - bottom)) * (HEIGHT - TOP - BOTTOM);
  const path = (all: readonly (number | null)[]) => {
    let pen = false;
    return all
      .map((value, at) => {
        const point = value === null ? '' : `${pen ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
        pen = value !== null;
        return point;
      })
      .join('');
  };
  const ends = [
    { name: 'Current', at: now.findLastIndex((value) => value !== null), all: now },
    { name: 'Previous', at: before.findLastIndex((value) => value !== null), all: before },
  ].flatMap(({ name, at, all }) => (at < 0 ? [] : [{ name, at, y: y(all[at] ?? 0) }]));
  const [first, second] = ends;
  // Two labels never cover each other.
  const apart =
    first !== undefined && second !== undefined && Math.abs(first.y - second.y) < 14 ? (first.y <= second.y ? 14 : -14) : 0;
  const dates = [...new Set([0, Math.floor((rows.length - 1) / 2), rows.length - 1])];
  return (
    <div ref={ref} className="h-[220px] mb-4 [&_svg]:block">
      {width > 0 && (
        <svg
          width={width}
          height={HEIGHT}
          role="img"
          aria-label={`${COLUMNS[measure].at(-1)?.title} over time. The table below has the numbers.`}
        >
          {[0, 0.5, 1].map((share) => {
            const value = bottom + share * (top - bottom);
            return (
              <g key={share}>
                <line x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} className="stroke-line" />
                <text x={LEFT} y={y(value) - 4} className="fill-ink-faint text-xs tabular-nums">
                  {formatFigureShort(kind, value)}
                </text>
              </g>
            );
          })}
          <path d={path(before)} className="fill-none stroke-line-strong stroke-2 [stroke-linejoin:round]" />
          <path
            d={path(isUnfinished ? now.slice(0, -1) : now)}
            className="fill-none stroke-accent stroke-2 [stroke-linejoin:round]"
          />
          {isUnfinished && (
            <path
              d={path(now.map((value, at) => (at < now.length - 2 ? null : value)))}
              className="fill-none stroke-accent [stroke-dasharray:3_3] stroke-2"
            >
              <title>The last period is not over.</title>
            </path>
          )}
          {rows.map((row, at) => {
            const value = now[at];
            return value === null || value === undefined ? null : (
              <circle key={row.periodStart} cx={x(at)} cy={y(value)} r={rows.length > 45 ? 1.5 : 3} className="fill-accent">
                <title>{`${nameOf(row, group)}: ${column === undefined ? '' : figureOf(column, currency, row.sums)}`}</title>
              </circle>
            );
          })}
          {ends.map((end, index) => (
            <text
              key={end.name}
              x={x(end.at) + 8}
              y={inside((index === 1 && first !== undefined && apart !== 0 ? first.y + apart : end.y) + 4)}
              className={index === 0 ? 'fill-accent-ink text-xs font-semibold' : 'fill-ink-faint text-xs'}
            >
              {end.name}
            </text>
          ))}
          {dates.map((at) => {
            const row = rows[at];
            const anchor = at === 0 ? 'start' : at === rows.length - 1 ? 'end' : 'middle';
            return row === undefined ? null : (
              <text key={at} x={x(at)} y={HEIGHT - 4} textAnchor={anchor} className="fill-ink-faint text-xs tabular-nums">
                {nameOf(row, group)}
              </text>
            );
          })}
        </svg>
      )}
    </div>
  );
}

function Bars({ rows, group, measure, currency }: Omit<Parameters<typeof ReportChart>[0], 'isUnfinished'>) {
  const column = COLUMNS[measure].at(-1);
  const kind = column?.kind ?? 'count';
  const bars = rows
    .map((row) => ({ row, now: drawn(measure, row.sums), before: drawn(measure, row.previous) }))
    .sort((a, b) => (b.now ?? -1) - (a.now ?? -1))
    .slice(0, BARS_MAX);
  const max = kind === 'share' ? 1 : Math.max(1, ...bars.flatMap(({ now, before }) => [now ?? 0, before ?? 0]));
  const share = (value: number) => `${Math.max(0, Math.min(100, (value / max) * 100))}%`;
  return (
    <figure className="grid gap-2.5 max-w-[880px] mb-6" aria-label={`${column?.title}. The table below has the numbers.`}>
      {bars.map(({ row, now, before }) => (
        <div
          key={rowKey(row)}
          className="grid grid-cols-[minmax(72px,160px)_minmax(0,1fr)_64px] items-center gap-3 text-sm"
          aria-hidden="true"
        >
          <span className="truncate" title={nameOf(row, group)}>
            {nameOf(row, group)}
          </span>
          <span className="grid gap-0.5">
            {before !== null && (
              <span className="block min-w-px rounded-[2px] [order:1] h-1 bg-line-strong" style={{ width: share(before) }} />
            )}
            <span className="block h-2.5 min-w-px rounded-[2px] bg-accent" style={{ width: share(now ?? 0) }} />
          </span>
          <span className="text-end tabular-nums">
            {now === null && column !== undefined ? figureOf(column, currency, row.sums) : formatFigureShort(kind, now ?? 0)}
          </span>
        </div>
      ))}
      <figcaption className="text-ink-faint text-xs">
        {rows.length > BARS_MAX ? `The ${BARS_MAX} largest of ${rows.length}. ` : ''}Light: the previous period.
      </figcaption>
    </figure>
  );
}

/** The width of an element in pixels, followed as it changes; 0 before it is drawn. */
function useWidth(): { readonly ref: RefObject<HTMLDivElement | null>; readonly width: number } {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (ref.current === null) return;
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}
