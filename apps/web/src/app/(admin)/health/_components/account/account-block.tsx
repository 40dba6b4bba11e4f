import { methodWord } from '@switchyard/routing';
import { IconClock, IconHandStop } from '@tabler/icons-react';
import { linePath } from '#/charts/paths.ts';
import { Badge } from '#/components/badge/badge.tsx';
import { StateBadge } from '#/components/badge/state-badge.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { FAULT_LABELS, methodTitle } from '#/copy/gateways.ts';
import { HEALTH_LABELS, healthReasonText, OVERRIDE_LABELS } from '#/copy/health.ts';
import { gatewayTokens } from '#/theme/gateway-colours.ts';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import methodRowClasses from '../strip/method-row.module.css';
import { StateStrip } from '../strip/state-strip.tsx';
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
  spansUntilNow,
  stepsIn,
  sumLookups,
  sumSteps,
} from '../strip/strip-figures.ts';
import { TimeAxis } from '../strip/time-axis.tsx';
import type { AccountOverview, MethodOverview } from '../use-health.ts';

/** An account with its strips and states; both undefined until loaded. `over` names the period shown. */
interface AccountBlockProps {
  readonly account: AccountOverview;
  /** True where accounts of several merchants are shown: it is named by its merchant. */
  readonly isNamed?: boolean;
  readonly strips: RouterOutputs['health']['strips'] | undefined;
  readonly states: RouterOutputs['health']['states'] | undefined;
  readonly over: string;
  readonly opened: string | null;
  readonly openedMethod: string | null;
  readonly onOpen: (accountId: string, method: string | null) => void;
}

/** One account: the whole of it first, then each method, a row each. */
export function AccountBlock({
  account,
  isNamed = false,
  strips,
  states,
  over,
  opened,
  openedMethod,
  onOpen,
}: AccountBlockProps) {
  const { accountId, merchantName, label, gateway, gatewayTitle, enabled, fault, overrides, planned } = account;
  const rows = account.health.map((health) => ({
    health,
    strip: strips?.strips.find((strip) => strip.accountId === accountId && strip.method === health.method),
    // The state in the row is that of all methods where the method alone has too little data.
    spans: spansOf(states, accountId, health.judgedBy === 'account' ? null : health.method),
    open: opened === accountId && (openedMethod ?? null) === health.method,
  }));
  const quiet = rows.filter((row) => isQuiet(row));
  return (
    <article
      className="@container/account not-first:mt-5.5"
      aria-label={`${label} at ${gatewayTitle}${isNamed ? ` of ${merchantName}` : ''}`}
    >
      <h3 className="flex flex-wrap items-center gap-x-2 gap-y-1 min-h-8 text-base font-semibold">
        {!isNamed && (
          <span className="w-2 h-2 rounded-[2px]" style={{ background: gatewayTokens(gateway).strong }} aria-hidden="true" />
        )}
        <span>{isNamed ? merchantName : label}</span>
        <span className="mr-2 text-ink-faint font-normal">{isNamed ? label : gatewayTitle}</span>
        {!enabled && <Badge tone="over">Disabled</Badge>}
        {enabled && fault !== null && (
          <Badge tone="bad" warns title={fault.sentence}>
            {FAULT_LABELS[fault.kind]}
          </Badge>
        )}
        {overrides.map(({ overrideId, action, method, gateway: ofGateway, expiresAt }) => (
          <span
            key={overrideId}
            className="inline-flex items-center gap-1.25 h-5.5 pr-2 pl-1.5 rounded-[11px] text-xs font-medium tone-ink tone-ground"
            data-tone="wait"
            title="An operator's override"
          >
            <IconHandStop size={13} stroke={2} aria-hidden="true" />
            <span>
              {OVERRIDE_LABELS[action].past}
              {ofGateway !== null && ' for all merchants'}
              {method !== null && `, ${methodWord(method)}`}, {expiresAt === null ? 'until it is ended' : 'ends '}
              {expiresAt !== null && <Moment value={expiresAt} tense="upcoming" />}
            </span>
          </span>
        ))}
        {planned.length > 0 && (
          <span
            className="inline-flex items-center gap-1.25 h-5.5 pr-2 pl-1.5 rounded-[11px] text-xs font-medium tone-ink tone-ground"
            data-tone="over"
          >
            <IconClock size={13} stroke={2} aria-hidden="true" />
            {planned.length === 1 ? '1 planned override' : `${planned.length} planned overrides`}
          </span>
        )}
      </h3>
      <p
        className="hidden text-ink-faint text-xs text-right @min-[960px]/account:grid grid-cols-[104px_100px_minmax(160px,1.1fr)_minmax(160px,1fr)_160px_124px_88px] gap-x-4 pr-1 pb-1.25"
        aria-hidden="true"
      >
        <span className="@min-[960px]/account:text-left @min-[960px]/account:col-[1_/_4] @min-[960px]/account:pl-1.5">Now</span>
        <span className="@min-[960px]/account:text-left">
          {strips !== undefined && <TimeAxis from={strips.from} to={strips.to} endsNow />}
        </span>
        <span>Success</span>
        <span>Latency</span>
        <span>Checkouts</span>
      </p>
      <ul className="border-t border-line">
        {rows
          .filter((row) => !quiet.includes(row))
          .map(({ health, ...row }) => (
            <MethodRow
              key={health.method ?? 'all'}
              health={health}
              {...row}
              time={strips}
              over={over}
              onOpen={() => onOpen(accountId, health.method)}
              mark={`${accountId}|${health.method}`}
              account={label}
            />
          ))}
      </ul>
      {quiet.length > 0 && (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5 min-h-9 py-1 pl-1.5 border-b border-line text-ink-faint text-xs">
          <span id={`${accountId}-quiet`}>No checkouts in {over}, same state as all methods:</span>
          <ul className="flex flex-wrap" aria-labelledby={`${accountId}-quiet`}>
            {quiet.map(({ health }) => (
              <li key={health.method}>
                <button
                  type="button"
                  className="h-7 px-2 rounded-md text-ink-quiet font-medium hover:bg-ground-hover hover:text-ink"
                  data-health={`${accountId}|${health.method}`}
                  onClick={() => onOpen(accountId, health.method)}
                  aria-label={`${methodTitle(health.method ?? '')}, ${label}: ${healthReasonText(health)}`}
                >
                  {methodTitle(health.method ?? '')}
                </button>
                <span className="sr-only">{HEALTH_LABELS[health.state].word}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </article>
  );
}

function spansOf(states: AccountBlockProps['states'], accountId: string, method: string | null) {
  return states?.series.find((series) => series.accountId === accountId && series.method === method)?.spans ?? null;
}

/** A method without figures of its own: it opened no checkout, and goes by all methods. */
function isQuiet({ health, strip, open }: Pick<MethodRowProps, 'health' | 'strip' | 'open'>): boolean {
  return (
    health.method !== null &&
    health.judgedBy === 'account' &&
    !open &&
    (strip === undefined || [...strip.succeeded, ...strip.faulted].every((count) => count === 0))
  );
}

/** The health of one method with its strip, undefined until loaded. `over` names the period shown. */
interface MethodRowProps {
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
function MethodRow({ account, health, strip, time, spans, over, open, onOpen, mark }: MethodRowProps) {
  const { method, state, judgedBy } = health;
  const why = healthReasonText(health);
  const steps = time === undefined ? [] : fillSteps(strip, time.from, time.to, time.stepMs);
  const { succeeded, faulted } = sumSteps(steps);
  const samples = countedSoFar(steps, health);
  const latencies = steps.map(({ latencyMs }) => latencyMs);
  const states = time === undefined ? [] : spansUntilNow(spans, health, time.from);
  const outages = time === undefined ? [] : outagesIn(states, time.from, steps.length, time.stepMs);
  const isOutage = stepsIn(outages);
  const shares = rollingShares(steps, isOutage).map((point) => point?.share ?? null);
  const slowest = Math.max(1, ...latencies.map((value) => value ?? 0));
  const name = method === null ? 'All methods' : methodTitle(method);
  return (
    <li className={methodRowClasses.row} data-open={open} data-whole={method === null} data-quiet={judgedBy === 'account'}>
      <span className="[grid-area:state] pl-1.5">
        <StateBadge state={state} why={health.why} />
      </span>
      <button
        type="button"
        className={methodRowClasses.name}
        data-health={mark}
        onClick={onOpen}
        aria-label={`${name}, ${account}: ${why}`}
        aria-pressed={open}
      >
        {name}
      </button>
      <span className={methodRowClasses.reason}>
        {judgedBy === 'account' ? 'Too few checkouts in 5 min, same state as all methods.' : why}
      </span>
      <span className="[grid-area:strip] min-w-0 min-h-8">
        <span className="text-ink-faint text-xs @min-[960px]/account:hidden">In {over}</span>
        {time !== undefined && (
          <>
            <StateStrip steps={steps} spans={states} over={over} from={time.from} to={time.to} endsNow />
            <span className="block @min-[960px]/account:hidden">
              <TimeAxis from={time.from} to={time.to} endsNow />
            </span>
          </>
        )}
      </span>
      <span className={methodRowClasses.figure} data-bad={health.faulted > 0 && health.succeeded < 9 * health.faulted}>
        <span className="text-ink-faint text-xs @min-[960px]/account:hidden">Success</span>
        <Sparkline
          values={shares}
          range={{ min: 0, max: 1 }}
          label={`Success over ${over}`}
          tone={outages.length > 0 || shares.some((share) => (share ?? 1) < 0.8) ? 'bad' : 'plain'}
        />
        <span className={methodRowClasses.value}>
          <span title={health.state === 'healthy' ? 'Checkouts of the last five minutes' : 'Checkouts since the trouble began'}>
            {shareOrCounts(health)} <span className="text-xs font-normal">now</span>
          </span>
          <span className="block text-ink-faint text-xs font-normal" title={`Checkouts opened in ${over}`}>
            {shareOrCounts({ succeeded, faulted })} average
          </span>
        </span>
      </span>
      <span className={methodRowClasses.figure}>
        <span className="text-ink-faint text-xs @min-[960px]/account:hidden">Latency</span>
        <Sparkline
          values={latencies.map((value, step) => (isOutage(step) ? null : value))}
          range={{ min: 0, max: slowest }}
          label={`Latency over ${over}`}
        />
        <span className={methodRowClasses.value} title={`Mean of the checkouts opened in ${over}`}>
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

/** Look-ups of payments and idle probes, which are not checkouts. */
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

const HEIGHT = 20;

/** A line of a row's height; the figure beside it is its last value. */
function Sparkline({
  values,
  range,
  label,
  tone = 'plain',
}: {
  values: readonly (number | null)[];
  range: { readonly min: number; readonly max: number };
  label: string;
  tone?: 'plain' | 'bad';
}) {
  return (
    <svg
      className="block flex-none w-14 h-5.5"
      viewBox={`0 -2 ${Math.max(values.length, 1)} ${HEIGHT + 4}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      <path
        className={`fill-none stroke-[1.5] [stroke-linecap:round] [stroke-linejoin:round] ${tone === 'bad' ? 'stroke-bad' : 'stroke-ink-faint'}`}
        d={linePath(values, range, HEIGHT)}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}
