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

/** The health of each account of an incident in its time, as it was recorded then. */
export function HealthSection({ incident }: { incident: Incident }) {
  const { accounts } = incident;
  if (accounts.length === 0) return null;
  const isOfSeveral = isOfSeveralMerchants(incident);
  return (
    <section aria-labelledby="health">
      <h2 className="mb-3 text-base font-semibold" id="health">
        Health
      </h2>
      {accounts.some(({ chart }) => chart !== null) && <StripLegend />}
      <div className="grid gap-8">
        {accounts.map((account) => (
          <AccountHealth key={account.accountId} account={account} isOfSeveral={isOfSeveral} />
        ))}
      </div>
    </section>
  );
}

function AccountHealth({ account, isOfSeveral }: { account: Account; isOfSeveral: boolean }) {
  const { label, gateway, merchantName, chart } = account;
  const name = [label, gateway === '' ? null : gateway, isOfSeveral ? merchantName : null]
    .filter((text) => text !== null)
    .join(' · ');
  return (
    <article aria-label={`Health of ${label}`} className="min-w-0 break-inside-avoid">
      <h3 className="mb-2 text-sm font-medium wrap-anywhere">{name}</h3>
      {chart === null ? (
        <p className="text-ink-faint text-sm">No chart was kept of this incident.</p>
      ) : (
        <ChartOf account={account} chart={chart} />
      )}
    </article>
  );
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
      {whole.steps.length > 0 && <OverTime steps={stepsOf(whole)} spans={whole.spans} stepMs={stepMs} end={end} />}
    </>
  );
}
