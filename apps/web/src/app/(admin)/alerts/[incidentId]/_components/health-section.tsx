'use client';

import { OverTime } from '#/app/(admin)/health/_components/strip/over-time.tsx';
import { StateStrip } from '#/app/(admin)/health/_components/strip/state-strip.tsx';
import { fillSteps } from '#/app/(admin)/health/_components/strip/strip-figures.ts';
import { StripLegend } from '#/app/(admin)/health/_components/strip/strip-legend.tsx';
import { TimeAxis } from '#/app/(admin)/health/_components/strip/time-axis.tsx';
import { methodTitle } from '#/copy/gateways.ts';
import { type Incident, isOfSeveralMerchants } from '#/copy/incident-story.ts';
import { clockOf } from '#/format/moments.ts';

type Account = Incident['accounts'][number];
type Chart = NonNullable<Account['chart']>;
type Series = Chart['series'][number];

/** With fewer checkouts a chart shows nothing that the timeline does not say. */
const DRAWN_MIN = 5;

/** The health of each account of an incident in its time, as it was recorded then; accounts with few checkouts are named instead. */
export function HealthSection({ incident }: { incident: Incident }) {
  const { accounts } = incident;
  if (accounts.length === 0) return null;
  const isOfSeveral = isOfSeveralMerchants(incident);
  const nameOf = ({ label, gateway, merchantName }: Account) =>
    [label, gateway, isOfSeveral ? merchantName : ''].filter((text) => text !== '').join(' · ');
  const drawn = accounts.filter(({ chart }) => chart !== null && checkoutsIn(chart) >= DRAWN_MIN);
  const few = accounts.flatMap((account) => {
    const { chart } = account;
    const checkouts = chart === null ? DRAWN_MIN : checkoutsIn(chart);
    return checkouts < DRAWN_MIN ? [`${nameOf(account)} (${checkouts === 0 ? 'none' : checkouts})`] : [];
  });
  const unkept = accounts.filter(({ chart }) => chart === null).map(nameOf);
  return (
    <section aria-labelledby="health">
      <h2 className="mb-3 text-base font-semibold" id="health">
        Health
      </h2>
      {drawn.length > 0 && <StripLegend />}
      <div className="grid gap-8">
        {drawn.map((account) => (
          <article key={account.accountId} aria-label={`Health of ${account.label}`} className="min-w-0 break-inside-avoid">
            <h3 className="mb-2 text-sm font-medium wrap-anywhere">{nameOf(account)}</h3>
            {account.chart !== null && <ChartOf account={account} chart={account.chart} />}
          </article>
        ))}
      </div>
      <div className="mt-3 text-ink-faint text-sm wrap-anywhere">
        {few.length > 0 && <p>Too few checkouts for a chart: {few.join(', ')}.</p>}
        {unkept.length > 0 && (
          <p>No chart was kept of {unkept.length === accounts.length ? 'this incident' : unkept.join(', ')}.</p>
        )}
      </div>
    </section>
  );
}

/** Checkouts of an account that a chart has. */
function checkoutsIn({ series }: Chart): number {
  const whole = series.find(({ method }) => method === null);
  return [...(whole?.succeeded ?? []), ...(whole?.faulted ?? [])].reduce((sum, checkouts) => sum + checkouts, 0);
}

function ChartOf({ account, chart }: { account: Account; chart: Chart }) {
  const { from, to, stepMs, series } = chart;
  const [whole, ...methods] = series;
  if (whole === undefined) return null;
  const over = `${clockOf(from)} to ${clockOf(to)}`;
  const end = account.metUntil === null ? 'now' : clockOf(to);
  const stepsOf = (one: Series) => fillSteps({ ...one, lookupsAnswered: [], lookupsFailed: [] }, from, to, stepMs);
  return (
    <>
      <dl className="grid grid-cols-[minmax(72px,max-content)_minmax(0,1fr)] gap-x-4 gap-y-3 items-center">
        {[whole, ...methods.filter(({ spans, steps }) => spans.length > 1 || steps.length > 0)].map((one) => (
          <div key={one.method} className="contents">
            <dt className="text-ink-quiet text-xs">{one.method === null ? 'All methods' : methodTitle(one.method)}</dt>
            <dd className="m-0 min-w-0">
              <StateStrip steps={stepsOf(one)} spans={one.spans} over={over} from={from} to={to} />
            </dd>
          </div>
        ))}
        <div className="contents">
          <dt className="sr-only">Time</dt>
          <dd className="col-start-2 m-0 min-w-0">
            <TimeAxis from={from} to={to} end={end} />
          </dd>
        </div>
      </dl>
      <OverTime steps={stepsOf(whole)} spans={whole.spans} stepMs={stepMs} end={end} withoutEmpty />
    </>
  );
}
