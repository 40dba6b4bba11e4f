import { isSeenByOthersOnly } from '@switchyard/routing';
import { barPath } from '#/charts/paths.ts';
import { healthStateText, SEVERITY } from '#/copy/health.ts';
import { dayAndClockOf, describeLength } from '#/format/moments.ts';
import classes from './state-strip.module.css';
import { othersMs, type StateSpan, type StepFigures, sumSteps, unhealthyMs } from './strip-figures.ts';
import { timeTicks } from './time-axis.tsx';

const BARS = 22;

interface StateStripProps {
  readonly steps: readonly StepFigures[];
  readonly spans: readonly StateSpan[];
  /** The time that it shows, in words: `the last ninety minutes`. */
  readonly over: string;
  readonly from: Date;
  readonly to: Date;
}

/**
 * Checkouts and states of an account: a bar per step, failed checkouts on top of answered ones, over a band whose
 * height and colour are the state. A state that lasted shorter than three pixels is drawn three pixels wide, over longer ones.
 */
export function StateStrip({ steps, spans, over, from, to }: StateStripProps) {
  const max = Math.max(...steps.map(({ succeeded, faulted }) => succeeded + faulted), 0);
  const answered = steps.map(({ succeeded }) => succeeded);
  const failed = steps.map(({ faulted }) => faulted);
  const lifted = answered.map((value) => (max === 0 ? 0 : (value / max) * BARS));
  const width = Math.max(steps.length, 1);
  const lines = timeTicks(from, to).map(({ place }) => `M${place * width} 0V${BARS}`);
  return (
    <span className="block w-full" role="img" aria-label={describeStrip(steps, spans, over, from, to)}>
      <svg className="block w-full h-5.5" viewBox={`0 0 ${width} ${BARS}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="fill-none stroke-line" d={lines.join('')} vectorEffect="non-scaling-stroke" />
        <path className="fill-over opacity-55" d={barPath(answered, max, BARS)} />
        <path className="fill-bad" d={barPath(failed, max, BARS, lifted)} />
      </svg>
      <Band spans={spans} from={from} to={to} />
    </span>
  );
}

function Band({ spans, from, to }: Pick<StateStripProps, 'spans' | 'from' | 'to'>) {
  const length = Math.max(1, to.getTime() - from.getTime());
  const share = (at: number) => Math.min(Math.max((at - from.getTime()) / length, 0), 1) * 100;
  const shown = spans
    .filter((span) => span.from.getTime() < to.getTime() && (span.to === null || span.to.getTime() > from.getTime()))
    .toSorted((left, right) => SEVERITY[left.state] - SEVERITY[right.state]);
  return (
    <span className="relative block h-2 mt-0.5">
      {shown.map(({ state, from: begun, to: ended, why = null }) => {
        const begin = share(begun.getTime());
        const size = share(ended?.getTime() ?? to.getTime()) - begin;
        return (
          <span
            key={`${state}|${begun.getTime()}`}
            className={classes.state}
            data-state={state}
            data-others={isSeenByOthersOnly(why)}
            title={describeSpan({ state, from: begun, to: ended, why }, to)}
            style={{ left: `min(${begin}%, 100% - 3px)`, width: `max(${size}%, 3px)` }}
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
