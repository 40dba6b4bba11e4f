import { isSeenByOthersOnly } from '@switchyard/routing';
import { healthStateText, SEVERITY } from '#/copy/health.ts';
import { dayAndClockOf, describeLength } from '#/format/moments.ts';
import classes from './state-strip.module.css';
import { othersMs, type StateSpan, type StepFigures, sumSteps, unhealthyMs } from './strip-figures.ts';
import { type TimeScale, timeScale, timeTicks } from './time-axis.tsx';

const BARS = 22;

interface StateStripProps {
  readonly steps: readonly StepFigures[];
  readonly spans: readonly StateSpan[];
  /** The time that it shows, in words: `the last ninety minutes`. */
  readonly over: string;
  readonly from: Date;
  readonly to: Date;
  /** True where its end is the present: the last minutes of a short period are drawn wider. */
  readonly endsNow?: boolean;
}

const WIDTH = 1_000;

/**
 * Checkouts and states of an account: a bar per step, failed checkouts on top of answered ones, over a band whose height and colour are
 * the state. A time down is a block behind both, six pixels wide at least, so that it is seen from afar.
 */
export function StateStrip({ steps, spans, over, from, to, endsNow = false }: StateStripProps) {
  const max = Math.max(...steps.map(({ succeeded, faulted }) => succeeded + faulted), 0);
  const scale = timeScale(from, to, endsNow);
  const stepMs = (to.getTime() - from.getTime()) / Math.max(1, steps.length);
  const lines = timeTicks(from, to, endsNow).map(({ place }) => `M${round(place * WIDTH)} 0V${BARS}`);
  const answered = steps.map(({ at, succeeded }) => ({ at, count: succeeded, base: 0 }));
  const failed = steps.map(({ at, succeeded, faulted }) => ({ at, count: faulted, base: succeeded }));
  return (
    <span className="relative block w-full" role="img" aria-label={describeStrip(steps, spans, over, from, to)}>
      <Band spans={spans} scale={scale} to={to} />
      <svg className="relative block w-full h-5.5" viewBox={`0 0 ${WIDTH} ${BARS}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="fill-none stroke-line" d={lines.join('')} vectorEffect="non-scaling-stroke" />
        <path className="fill-over opacity-55" d={barsOf(answered, { max, scale, stepMs })} />
        <path className="fill-bad" d={barsOf(failed, { max, scale, stepMs })} />
      </svg>
      <span className="block h-2.5" />
    </span>
  );
}

interface Bar {
  readonly at: Date;
  readonly count: number;
  /** The ground it stands on. */
  readonly base: number;
}

/** Bars of a height up to that of the strip, each as wide as its step on the scale, as one path. */
function barsOf(
  bars: readonly Bar[],
  { max, scale, stepMs }: { readonly max: number; readonly scale: TimeScale; readonly stepMs: number },
): string {
  return bars
    .filter(({ count }) => count > 0)
    .map(({ at, count, base }) => {
      const begin = scale(at.getTime()) * WIDTH;
      const width = scale(at.getTime() + stepMs) * WIDTH - begin;
      const size = Math.max(1.5, (count / max) * BARS);
      const foot = BARS - (base / max) * BARS;
      return `M${round(begin + 0.12 * width)} ${round(foot)}v${-round(size)}h${round(0.76 * width)}v${round(size)}z`;
    })
    .join('');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function Band({ spans, scale, to }: Pick<StateStripProps, 'spans' | 'to'> & { scale: TimeScale }) {
  const end = to.getTime();
  const shown = spans
    .filter((span) => scale(span.from.getTime()) < 1 && (span.to === null || scale(span.to.getTime()) > 0))
    .toSorted((left, right) => SEVERITY[left.state] - SEVERITY[right.state]);
  return (
    <span className="absolute inset-0 block">
      {shown.map(({ state, from: begun, to: ended, why = null }) => {
        const begin = scale(begun.getTime()) * 100;
        const size = scale(ended?.getTime() ?? end) * 100 - begin;
        const least = state === 'down' ? 6 : 3;
        return (
          <span
            key={`${state}|${begun.getTime()}`}
            className={classes.state}
            data-state={state}
            data-others={isSeenByOthersOnly(why)}
            title={describeSpan({ state, from: begun, to: ended, why }, to)}
            style={{ left: `min(${begin}%, 100% - ${least}px)`, width: `max(${size}%, ${least}px)` }}
          />
        );
      })}
    </span>
  );
}

function describeSpan({ state, from, to, why = null }: StateSpan, now: Date): string {
  const length = describeLength((to ?? now).getTime() - from.getTime());
  return `${healthStateText({ state, why })} from ${dayAndClockOf(from)}${to === null ? ', still' : ''}, for ${length}`;
}

/** The strip in a sentence. */
function describeStrip(steps: readonly StepFigures[], spans: readonly StateSpan[], over: string, from: Date, to: Date): string {
  const { succeeded, faulted } = sumSteps(steps);
  const trouble = unhealthyMs(spans, from.getTime(), to.getTime());
  const calls =
    succeeded + faulted === 0
      ? `No checkouts in ${over}`
      : `${succeeded.toLocaleString('en')} checkouts answered and ${faulted.toLocaleString('en')} failed in ${over}`;
  if (trouble === 0) return `${calls}; healthy throughout.`;
  const others = othersMs(spans, from.getTime(), to.getTime());
  const part = others === trouble ? '' : ` ${describeLength(others)} of it`;
  const byOthers = others === 0 ? '' : `,${part} for other merchants alone`;
  return `${calls}; in trouble for ${describeLength(trouble)}${byOthers}.`;
}
