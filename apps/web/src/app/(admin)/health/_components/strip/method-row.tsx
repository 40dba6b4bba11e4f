import { StateBadge } from '#/components/badge/state-badge.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { healthReasonText } from '#/copy/health.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import type { MethodOverview } from '../use-health.ts';
import classes from './method-row.module.css';
import { Sparkline } from './sparkline.tsx';
import { StateStrip } from './state-strip.tsx';
import {
  countedSoFar,
  fillSteps,
  latencyText,
  meanLatency,
  outagesIn,
  rollingShares,
  type StateSpan,
  type Strip,
  shareOrCounts,
  stepsIn,
  sumLookups,
  sumSteps,
} from './strip-figures.ts';
import { TimeAxis } from './time-axis.tsx';

/** The health of one method with its strip, undefined until loaded. `over` names the period shown. */
export interface MethodRowProps {
  readonly account: string;
  readonly health: MethodOverview;
  readonly strip: Strip | undefined;
  readonly time: Pick<RouterOutputs['health']['strips'], 'from' | 'to' | 'stepMs'> | undefined;
  readonly spans: readonly StateSpan[] | null;
  readonly over: string;
  readonly open: boolean;
  readonly onOpen: () => void;
  /** Finds the row again: the focus goes back to it when its panel closes. */
  readonly mark: string;
}

/** One method of an account, or all of them: the state now and why, then what happened in the time chosen. */
export function MethodRow({ account, health, strip, time, spans, over, open, onOpen, mark }: MethodRowProps) {
  const { method, state, judgedBy } = health;
  const why = healthReasonText(health);
  const steps = time === undefined ? [] : fillSteps(strip, time.from, time.to, time.stepMs);
  const { succeeded, faulted } = sumSteps(steps);
  const samples = countedSoFar(steps, health);
  const latencies = steps.map(({ latencyMs }) => latencyMs);
  const outages = time === undefined ? [] : outagesIn(spans ?? [], time.from, steps.length, time.stepMs);
  const isOutage = stepsIn(outages);
  const shares = rollingShares(steps, isOutage).map((point) => point?.share ?? null);
  const slowest = Math.max(1, ...latencies.map((value) => value ?? 0));
  const name = method === null ? 'All methods' : methodTitle(method);
  const begun = time === undefined ? [] : (spans ?? [{ state: 'healthy' as const, from: time.from, to: null }]);
  return (
    <li className={classes.row} data-open={open} data-whole={method === null} data-quiet={judgedBy === 'account'}>
      <span className="[grid-area:state] pl-1.5">
        <StateBadge state={state} why={health.why} />
      </span>
      <button
        type="button"
        className={classes.name}
        data-health={mark}
        onClick={onOpen}
        aria-label={`${name}, ${account}: ${why}`}
        aria-pressed={open}
      >
        {name}
      </button>
      <span className={classes.reason}>
        {judgedBy === 'account' ? 'Too few checkouts in 5 min, same state as all methods.' : why}
      </span>
      <span className="[grid-area:strip] min-w-0 min-h-8">
        <span className="text-ink-faint text-xs @min-[960px]/account:hidden">In {over}</span>
        {time !== undefined && (
          <>
            <StateStrip steps={steps} spans={begun} over={over} from={time.from} to={time.to} />
            <span className="block @min-[960px]/account:hidden">
              <TimeAxis from={time.from} to={time.to} />
            </span>
          </>
        )}
      </span>
      <span className={classes.figure} data-bad={faulted > 0 && succeeded < 9 * faulted}>
        <span className="text-ink-faint text-xs @min-[960px]/account:hidden">Success</span>
        <Sparkline
          values={shares}
          range={{ min: 0, max: 1 }}
          label={`Success over ${over}`}
          tone={outages.length > 0 || shares.some((share) => (share ?? 1) < 0.8) ? 'bad' : 'plain'}
        />
        <span className={classes.value} title={`Checkouts opened in ${over}`}>
          {shareOrCounts({ succeeded, faulted })}
        </span>
      </span>
      <span className={classes.figure}>
        <span className="text-ink-faint text-xs @min-[960px]/account:hidden">Latency</span>
        <Sparkline
          values={latencies.map((value, step) => (isOutage(step) ? null : value))}
          range={{ min: 0, max: slowest }}
          label={`Latency over ${over}`}
        />
        <span className={classes.value} title={`Mean of the checkouts opened in ${over}`}>
          {latencyText(meanLatency(steps))}
        </span>
      </span>
      <span className="[grid-area:samples] min-w-11 pr-1 text-right tabular-nums whitespace-nowrap" title={`Counted in ${over}`}>
        {samples.toLocaleString('en')}
        <span className="text-ink-faint text-xs @min-[960px]/account:hidden"> {samples === 1 ? 'checkout' : 'checkouts'}</span>
        {method === null && <Lookups {...sumLookups(strip)} />}
      </span>
    </li>
  );
}

/** Look-ups of payments and idle probes, which are no checkouts. */
function Lookups({ answered, failed }: ReturnType<typeof sumLookups>) {
  const all = answered + failed;
  if (all === 0) return null;
  return (
    <span className="block text-ink-faint text-xs whitespace-normal">
      {all.toLocaleString('en')} {all === 1 ? 'status check' : 'status checks'}
      {failed > 0 && `, ${failed.toLocaleString('en')} failed`}
    </span>
  );
}
