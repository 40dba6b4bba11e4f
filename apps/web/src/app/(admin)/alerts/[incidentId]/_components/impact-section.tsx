'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { Refusal } from '#/components/page/refusal.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import {
  type CurrencyImpact,
  describeExtraFee,
  describeFallbacks,
  IMPACT_ORDER,
  OUTCOME_LABELS,
} from '#/copy/incident-impact.ts';
import type { Incident } from '#/copy/incident-story.ts';
import { formatMoney } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';

const REFRESH_MS = 30_000;

/** Impact of an incident on payments: how many met the fault, their outcomes, and the cost and benefit of fallbacks. */
export function ImpactSection({ incident }: { incident: Incident }) {
  const trpc = useTRPC();
  const can = useCan();
  const incidentId = incident.incidentId ?? '';
  const isAsked = incident.accounts.length > 0 && can('payment:read');
  const { data, error } = useQuery(
    trpc.incidents.impact.queryOptions(
      { incidentId },
      { enabled: isAsked, refetchInterval: incident.closedAt === null ? REFRESH_MS : false },
    ),
  );
  if (!isAsked) return null;
  return (
    <section aria-labelledby="impact">
      <h2 className="mb-3 text-base font-semibold" id="impact">
        Impact
      </h2>
      <Refusal message={data === undefined && error !== null ? error.message : null} />
      {data === undefined && error === null && (
        <div className="h-[120px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading the impact" />
      )}
      {data?.currencies.length === 0 && <p className="text-ink-quiet text-sm">No payment met the fault.</p>}
      <div className="grid gap-6">
        {data?.currencies.map((impact) => (
          <CurrencySection key={impact.currency} impact={impact} incidentId={incidentId} isOnly={data.currencies.length === 1} />
        ))}
      </div>
      {data?.isCut === true && (
        <p className="mt-2 text-ink-faint text-xs">More payments met the fault; the latest 20,000 are counted.</p>
      )}
    </section>
  );
}

function CurrencySection({ impact, incidentId, isOnly }: { impact: CurrencyImpact; incidentId: string; isOnly: boolean }) {
  const scope = useScope();
  const { currency, met, outcomes, recoveredBy, lostInCheckout } = impact;
  const payments = { affected: incidentId };
  return (
    <article aria-label={isOnly ? 'Impact' : `Impact, ${currency}`} className="break-inside-avoid">
      <p className="mb-3 tabular-nums">
        <Link
          href={hrefIn(scope, '/payments', payments)}
          className="text-2xl font-semibold leading-tight no-underline hover:underline hover:underline-offset-3"
        >
          {met.payments.toLocaleString('en')} {met.payments === 1 ? 'payment' : 'payments'}
        </Link>{' '}
        <span className="text-ink-quiet">of {formatMoney(currency, met.amount)} met the fault</span>
      </p>
      <dl className="border-t border-line tabular-nums">
        {IMPACT_ORDER.filter((outcome) => outcomes[outcome].payments > 0 || ALWAYS.has(outcome)).map((outcome) => (
          <div
            key={outcome}
            className="grid grid-cols-[minmax(0,1fr)_56px_minmax(96px,max-content)] gap-x-4 items-baseline py-2 border-b border-line"
          >
            <dt className="min-w-0">
              <span className="font-medium">{OUTCOME_LABELS[outcome].word}</span>
              <span className="block text-ink-quiet text-xs">
                {OUTCOME_LABELS[outcome].meaning}
                {outcome === 'lost' && lostInCheckout.payments > 0 && (
                  <> {lostInCheckout.payments.toLocaleString('en')} of them had a checkout at another gateway and did not pay.</>
                )}
              </span>
              {outcome === 'recovered' &&
                recoveredBy.map(({ gateway, payments: count, amount }) => (
                  <span key={gateway} className="block text-xs">
                    By {gatewayTitle(gateway)}: {count.toLocaleString('en')}, {formatMoney(currency, amount)}
                  </span>
                ))}
            </dt>
            <dd className="m-0 text-right">{outcomes[outcome].payments.toLocaleString('en')}</dd>
            <dd className="m-0 text-right">{formatMoney(currency, outcomes[outcome].amount)}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 max-w-[72ch] text-sm">
        {describeFallbacks(impact)} {describeExtraFee(impact)}
      </p>
    </article>
  );
}

/** Outcomes that are told even when there is none. */
const ALWAYS: ReadonlySet<(typeof IMPACT_ORDER)[number]> = new Set(['recovered', 'retried', 'lost']);
