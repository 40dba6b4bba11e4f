import { describeLength } from '../../../../format/moments.ts';
import classes from './state-strip.module.css';
import { barPath, type StateSpan, type StepFigures, sumSteps, troubledMs } from './strip-figures.ts';

const BARS = 22;
const BAND = 8;

interface StateStripProps {
  readonly steps: readonly StepFigures[];
  readonly spans: readonly StateSpan[];
  /** What time it shows, in words: `the last ninety minutes`. */
  readonly over: string;
  readonly from: Date;
  readonly to: Date;
}

/**
 * What an account opened and in which state it was: bars for checkouts, what failed on top of what was answered, over a band whose
 * height and colour are the state.
 */
export function StateStrip({ steps, spans, over, from, to }: StateStripProps) {
  const max = Math.max(...steps.map(({ succeeded, faulted }) => succeeded + faulted), 0);
  const answered = steps.map(({ succeeded }) => succeeded);
  const failed = steps.map(({ faulted }) => faulted);
  const lifted = answered.map((value) => (max === 0 ? 0 : (value / max) * BARS));
  const length = to.getTime() - from.getTime();
  const x = (at: number) => (Math.min(Math.max(at - from.getTime(), 0), length) / length) * steps.length;
  return (
    <svg
      className={classes.strip}
      viewBox={`0 0 ${Math.max(steps.length, 1)} ${BARS + BAND + 2}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={describeStrip(steps, spans, over, from, to)}
    >
      <path className={classes.answered} d={barPath(answered, max, BARS)} />
      <path className={classes.failed} d={barPath(failed, max, BARS, lifted)} />
      {spans.map((span) => {
        const begin = x(span.from.getTime());
        const end = x(span.to?.getTime() ?? to.getTime());
        if (end <= 0 || begin >= steps.length) return null;
        const height = HEIGHT[span.state];
        const width = Math.max(end - begin, span.state === 'healthy' ? 0 : 0.6);
        return (
          <rect
            key={span.from.getTime()}
            data-state={span.state}
            className={classes.band}
            x={Math.min(begin, steps.length - width)}
            y={BARS + 2}
            width={width}
            height={height}
          />
        );
      })}
    </svg>
  );
}

const HEIGHT = { healthy: 2, probing: 5, degraded: 5, down: BAND } as const;

/** The strip in a sentence. */
function describeStrip(steps: readonly StepFigures[], spans: readonly StateSpan[], over: string, from: Date, to: Date): string {
  const { succeeded, faulted } = sumSteps(steps);
  const trouble = troubledMs(spans, from.getTime(), to.getTime());
  const calls =
    succeeded + faulted === 0
      ? `No checkouts in ${over}`
      : `${succeeded.toLocaleString('en')} checkouts answered and ${faulted.toLocaleString('en')} failed in ${over}`;
  return trouble === 0 ? `${calls}; healthy throughout.` : `${calls}; in trouble for ${describeLength(trouble)}.`;
}
