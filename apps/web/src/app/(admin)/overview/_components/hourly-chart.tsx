'use client';

import { SHARE_FROM } from '@switchyard/routing';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { barPath, linePath, stepPath } from '#/charts/paths.ts';
import { serverNow } from '#/clock/server-clock.ts';
import { ScrollArea } from '#/components/scroll-area/scroll-area.tsx';
import { SegmentedControl } from '#/components/segmented-control/segmented-control.tsx';
import { formatDecimal, formatMoney, successRate } from '#/format/amounts.ts';
import { clockOf, describeLength } from '#/format/moments.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { useCanHere } from '#/trpc/use-can.ts';
import { commonestCurrency, type HourFigures, type HourMeasure, hoursOf, hourValue } from './hours.ts';

const REFRESH_MS = 30_000;
const HEIGHT = 120;
const HOUR_MS = 3_600_000;

const MEASURES: readonly { readonly value: HourMeasure; readonly label: string }[] = [
  { value: 'payments', label: 'Payments' },
  { value: 'received', label: 'Received' },
  { value: 'success', label: 'Success rate' },
];

/** Today by hour against the same day a week ago, as a chart or as the table it is drawn from. */
export function HourlyChart() {
  const trpc = useTRPC();
  const scope = useScope();
  const [measure, setMeasure] = useState<HourMeasure>('payments');
  const [shown, setShown] = useState<'chart' | 'table'>('chart');
  const { data } = useQuery(trpc.payments.byHour.queryOptions(scope, { refetchInterval: REFRESH_MS }));
  const outages = useOutagesOf(data?.dayStart ?? null);
  return (
    <section aria-labelledby="by-hour">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 mb-3">
        <h2 className="flex-1 min-w-[120px] text-lg font-semibold tracking-[-0.005em]" id="by-hour">
          Today by hour
        </h2>
        <SegmentedControl label="Measure" choices={MEASURES} value={measure} onChange={setMeasure} />
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
      {data === undefined && (
        <div className="h-[190px] rounded-md bg-ground-hover" role="status" aria-label="Loading today by hour" />
      )}
      {data !== undefined && shown === 'chart' && <Chart comparison={data} measure={measure} outages={outages} />}
      {data !== undefined && shown === 'table' && <Table comparison={data} />}
    </section>
  );
}

type Comparison = RouterOutputs['payments']['byHour'];

function readComparison({ asOf, dayStart, today, weekAgo }: Comparison) {
  const currency = commonestCurrency([...today, ...weekAgo].map((hour) => ({ currency: hour.currency, count: hour.payments })));
  // The hour that has begun: those after it have no figures yet.
  const current = Math.min(23, Math.floor((asOf.getTime() - dayStart.getTime()) / HOUR_MS));
  return { currency, current, now: hoursOf(today, currency), before: hoursOf(weekAgo, currency) };
}

function Chart({
  comparison,
  measure,
  outages,
}: {
  comparison: Comparison;
  measure: HourMeasure;
  outages: readonly DayOutage[];
}) {
  const [at, setAt] = useState<number | null>(null);
  const { currency, current, now, before } = readComparison(comparison);
  const today = now.map((hour, index) => (index > current ? null : hourValue(hour, measure)));
  const lastWeek = before.map((hour) => hourValue(hour, measure));
  const max =
    measure === 'success' ? 1 : Math.max(1, ...today.map((value) => value ?? 0), ...lastWeek.map((value) => value ?? 0));
  const chosen = at ?? current;
  return (
    <figure>
      <figcaption className="flex flex-wrap gap-x-4 gap-y-1 mb-2.5 text-ink-quiet text-xs">
        <span>
          <i className="inline-block size-2.5 mr-1.5 align-[-1px] bg-accent" aria-hidden="true" />
          Today
        </span>
        <span>
          <i className="inline-block size-2.5 mr-1.5 align-[-1px] border border-dashed border-accent" aria-hidden="true" />
          This hour so far
        </span>
        <span>
          <i className="inline-block w-2.5 h-0.5 mr-1.5 align-[3px] bg-over" aria-hidden="true" />
          Same day last week
        </span>
        <span className="flex-1 min-w-[240px] text-ink tabular-nums text-right max-phone:text-left" role="status">
          {hourLabel(chosen)}: {describeHour(now[chosen], measure, currency, chosen > current)}, last week{' '}
          {describeHour(before[chosen], measure, currency, false)}
        </span>
      </figcaption>
      <div className="relative pl-12">
        <span className="absolute left-0 w-10 text-ink-faint text-xs tabular-nums leading-none text-right top-0">
          {measure === 'success' ? '100%' : compact.format(max)}
        </span>
        <span className="absolute left-0 w-10 text-ink-faint text-xs tabular-nums leading-none text-right bottom-0">
          {measure === 'success' ? '0%' : '0'}
        </span>
        <svg
          className="block w-full h-[132px] touch-pan-y"
          viewBox={`0 -1 24 ${HEIGHT + 2}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${MEASURES.find(({ value }) => value === measure)?.label} today by hour, against the same day last week`}
          onPointerMove={({ currentTarget, clientX }) => {
            const { left, width } = currentTarget.getBoundingClientRect();
            setAt(Math.min(23, Math.max(0, Math.floor(((clientX - left) / width) * 24))));
          }}
          onPointerLeave={() => setAt(null)}
        >
          <path
            className="fill-none stroke-line"
            d={`M0 0H24M0 ${HEIGHT / 2}H24M0 ${HEIGHT}H24`}
            vectorEffect="non-scaling-stroke"
          />
          <path className="fill-bad opacity-80" d={outagePath(outages, comparison.dayStart)} />
          {at !== null && <path className="stroke-ink-faint" d={`M${at + 0.5} 0V${HEIGHT}`} vectorEffect="non-scaling-stroke" />}
          {measure === 'success' ? (
            <Lines today={today} lastWeek={lastWeek} current={current} />
          ) : (
            <Bars today={today} lastWeek={lastWeek} current={current} max={max} />
          )}
        </svg>
      </div>
      <div className="relative h-6 ml-12 text-ink-faint text-xs tabular-nums [&_span]:absolute [&_span]:top-1" aria-hidden="true">
        {[0, 6, 12, 18].map((hour) => (
          <span key={hour} style={{ left: `${(hour / 24) * 100}%` }}>
            {clockLabel(hour)}
          </span>
        ))}
      </div>
      {outages.length > 0 && (
        <p className="ml-12 text-xs">
          <span className="text-bad-ink font-medium">Down:</span> {outages.slice(0, NAMED_MAX).map(describeOutage).join('; ')}
          {outages.length > NAMED_MAX && ` and ${outages.length - NAMED_MAX} more`}
        </p>
      )}
      {measure === 'success' && (
        <p className="ml-12 text-ink-faint text-xs">
          Hours with fewer than {SHARE_FROM} finished payments have no rate; the table counts them.
        </p>
      )}
    </figure>
  );
}

/** A time in which an account was down today. */
interface DayOutage {
  readonly name: string;
  readonly from: Date;
  /** Null while it lasts. */
  readonly to: Date | null;
}

const DAY_MINUTES = 1_440;
/** The narrowest mark, in hours: that of an outage of a minute is seen. */
const MARK_MIN = 0.12;
const NAMED_MAX = 4;

/** The times in which accounts were down since a moment, the latest first; none for those who may not see health. */
function useOutagesOf(dayStart: Date | null): readonly DayOutage[] {
  const trpc = useTRPC();
  const scope = useScope();
  const enabled = useCanHere()('health:read') && dayStart !== null;
  const { data: states } = useQuery(
    trpc.health.states.queryOptions({ ...scope, minutes: DAY_MINUTES }, { enabled, refetchInterval: REFRESH_MS }),
  );
  const { data: overview } = useQuery(trpc.health.overview.queryOptions(scope, { enabled }));
  if (dayStart === null) return [];
  const nameOf = (accountId: string) => overview?.accounts.find((account) => account.accountId === accountId)?.gatewayTitle ?? '';
  const down = (states?.series ?? []).flatMap(({ accountId, outages }) =>
    outages
      .filter(({ worst, to }) => worst === 'down' && (to === null || to > dayStart))
      .map(({ from, to }) => ({ name: nameOf(accountId), from: from > dayStart ? from : dayStart, to })),
  );
  // Accounts and methods of one gateway fail together: its outage is one.
  const once = new Map(down.map((outage) => [`${outage.name}|${Math.floor(outage.from.getTime() / 120_000)}`, outage]));
  return [...once.values()].toSorted((left, right) => right.from.getTime() - left.from.getTime());
}

/** Marks at the foot of the chart, as wide as the outages lasted. */
function outagePath(outages: readonly DayOutage[], dayStart: Date): string {
  const hoursOf = (at: Date) => (at.getTime() - dayStart.getTime()) / HOUR_MS;
  return outages
    .map(({ from, to }) => {
      const begin = hoursOf(from);
      const width = Math.max(MARK_MIN, hoursOf(to ?? new Date(serverNow())) - begin);
      return `M${begin.toFixed(3)} ${HEIGHT}v-14h${width.toFixed(3)}v14z`;
    })
    .join('');
}

function describeOutage({ name, from, to }: DayOutage): string {
  return `${name} ${clockOf(from)}${to === null ? ' until now' : `, ${describeLength(to.getTime() - from.getTime())}`}`;
}

/** The largest value beside the chart, short enough for its margin: `1.2M`. */
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

interface Drawn {
  readonly today: readonly (number | null)[];
  readonly lastWeek: readonly (number | null)[];
  readonly current: number;
}

function Bars({ today, lastWeek, current, max }: Drawn & { max: number }) {
  const zero = (values: readonly (number | null)[], keep: (hour: number) => boolean) =>
    values.map((value, hour) => (keep(hour) ? (value ?? 0) : 0));
  return (
    <>
      <path
        className="fill-accent opacity-75"
        d={barPath(
          zero(today, (hour) => hour < current),
          max,
          HEIGHT,
        )}
      />
      <path
        className="fill-none stroke-accent [stroke-dasharray:3_3] stroke-[1.4]"
        d={barPath(
          zero(today, (hour) => hour === current),
          max,
          HEIGHT,
        )}
        vectorEffect="non-scaling-stroke"
      />
      <path
        className="fill-none stroke-over stroke-[1.4]"
        d={stepPath(
          zero(lastWeek, () => true),
          max,
          HEIGHT,
        )}
        vectorEffect="non-scaling-stroke"
      />
    </>
  );
}

function Lines({ today, lastWeek, current }: Drawn) {
  const range = { min: 0, max: 1 };
  const keep = (from: number, to: number) => today.map((value, hour) => (hour >= from && hour <= to ? value : null));
  return (
    <>
      <path
        className="fill-none stroke-over stroke-[1.4]"
        d={linePath(lastWeek, range, HEIGHT)}
        vectorEffect="non-scaling-stroke"
      />
      <path
        className="fill-none stroke-accent stroke-[1.8] [stroke-linejoin:round] data-[unfinished=true]:[stroke-dasharray:3_3]"
        d={linePath(keep(0, current - 1), range, HEIGHT)}
        vectorEffect="non-scaling-stroke"
      />
      <path
        className="fill-none stroke-accent stroke-[1.8] [stroke-linejoin:round] data-[unfinished=true]:[stroke-dasharray:3_3]"
        data-unfinished="true"
        d={linePath(keep(current - 1, current), range, HEIGHT)}
        vectorEffect="non-scaling-stroke"
      />
    </>
  );
}

function Table({ comparison }: { comparison: Comparison }) {
  const { currency, current, now, before } = readComparison(comparison);
  return (
    <ScrollArea className="max-h-[320px] border-b border-line" label="Today by hour">
      <table className="figures-table whitespace-nowrap [--row:30px] [&_thead_th]:sticky [&_thead_th]:top-0 [&_thead_th]:bg-ground">
        <thead>
          <tr>
            <th scope="col">Hour</th>
            <th scope="col">Payments</th>
            <th scope="col">Last week</th>
            <th scope="col">Received, {currency}</th>
            <th scope="col">Last week</th>
            <th scope="col">Success rate</th>
            <th scope="col">Last week</th>
          </tr>
        </thead>
        <tbody>
          {now.map((hour, index) => {
            const earlier = before[index] ?? hour;
            const figures = (measure: HourMeasure) => (
              <>
                <td>{describeHour(hour, measure, currency, index > current, false)}</td>
                <td className="text-ink-faint">{describeHour(earlier, measure, currency, false, false)}</td>
              </>
            );
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: hours are never reordered.
              <tr key={index}>
                <th scope="row">
                  {hourLabel(index)}
                  {index === current && ' so far'}
                </th>
                {figures('payments')}
                {figures('received')}
                {figures('success')}
              </tr>
            );
          })}
        </tbody>
      </table>
    </ScrollArea>
  );
}

/** An hour in words or, without `units`, as a figure. */
function describeHour(
  hour: HourFigures | undefined,
  measure: HourMeasure,
  currency: string,
  isLater: boolean,
  units = true,
): string {
  if (hour === undefined || isLater) return units ? 'not yet' : '';
  switch (measure) {
    case 'payments':
      return `${hour.payments.toLocaleString('en')}${units ? (hour.payments === 1 ? ' payment' : ' payments') : ''}`;
    case 'received':
      return units ? formatMoney(currency, hour.received) : formatDecimal(currency, hour.received);
    case 'success':
      return `${successRate(hour.paid, hour.failed + hour.expired)}${units ? ' paid' : ''}`;
    default:
      return measure satisfies never;
  }
}

/** `14:00–15:00` */
function hourLabel(hour: number): string {
  return `${clockLabel(hour)}–${clockLabel(hour + 1)}`;
}

function clockLabel(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`;
}
