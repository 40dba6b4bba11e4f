'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import type { ReactNode } from 'react';
import type { PaymentFilters } from '#/app/(admin)/payments/filters.ts';
import { Refusal } from '#/components/page/refusal.tsx';
import { gatewayTitle } from '#/copy/gateways.ts';
import {
  ALWAYS_NAMED,
  type CurrencyImpact,
  describeExtraFee,
  describeFallbacks,
  describeOutcomes,
  IMPACT_ORDER,
  OUTCOME_LABELS,
} from '#/copy/incident-impact.ts';
import type { Incident } from '#/copy/incident-story.ts';
import { formatMoney } from '#/format/amounts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCanHere } from '#/trpc/use-can.ts';
import { useImpactInput } from './use-incident.ts';

const REFRESH_MS = 30_000;

/** Payments of which the impact is: their lists are opened with it. */
interface ImpactOf {
  readonly incidentId: string;
  /** Null for all merchants that the incident concerns. */
  readonly merchantId: string | null;
  /** Null where there is one only. */
  readonly currency: string | null;
}

/** Impact of an incident on payments: how many met the fault, their outcomes, and the cost and benefit of fallbacks. */
export function ImpactSection({ incident }: { incident: Incident }) {
  const trpc = useTRPC();
  const mayRead = useCanHere()('payment:read');
  const input = useImpactInput(incident);
  const isAsked = incident.accounts.length > 0 && mayRead;
  const { data, error } = useQuery(
    trpc.incidents.impact.queryOptions(input, {
      enabled: isAsked,
      refetchInterval: incident.closedAt === null ? REFRESH_MS : false,
    }),
  );
  if (!isAsked) return null;
  const isOnly = data?.currencies.length === 1;
  return (
    <section aria-labelledby="impact">
      <h2 className="mb-3 text-base font-semibold" id="impact">
        Impact
      </h2>
      <Refusal message={data === undefined && error !== null ? error.message : null} />
      {data === undefined && error === null && (
        <div className="h-[120px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading the impact" />
      )}
      {data?.currencies.length === 0 && <p className="text-ink-quiet text-sm">{describeOutcomes([]).rest}</p>}
      <div className="grid gap-6">
        {data?.currencies.map((impact) => (
          <CurrencySection
            key={impact.currency}
            impact={impact}
            of={{ ...input, currency: isOnly ? null : impact.currency }}
            isOnly={isOnly}
          />
        ))}
      </div>
      {data?.isCut === true && (
        <p className="mt-2 text-ink-faint text-xs">More payments met the fault; the latest 20,000 are counted.</p>
      )}
    </section>
  );
}

function CurrencySection({ impact, of, isOnly }: { impact: CurrencyImpact; of: ImpactOf; isOnly: boolean }) {
  const { currency, outcomes, recoveredBy, lostInCheckout } = impact;
  const { affected, rest } = describeOutcomes([impact]);
  return (
    <article aria-label={isOnly ? 'Impact' : `Impact, ${currency}`} className="break-inside-avoid">
      <p className="mb-3 tabular-nums">
        <Payments of={of} className="text-2xl font-semibold leading-tight">
          {affected}
        </Payments>
        <span className="text-ink-quiet">{rest}</span>
      </p>
      <dl className="grid grid-cols-[minmax(0,1fr)_max-content_max-content] gap-x-4 border-t border-line tabular-nums">
        {IMPACT_ORDER.filter((outcome) => outcomes[outcome].payments > 0 || ALWAYS_NAMED.has(outcome)).map((outcome) => (
          <div key={outcome} className="grid grid-cols-subgrid col-span-3 items-baseline py-2 border-b border-line">
            <dt className="min-w-0">
              <span className="font-medium">{OUTCOME_LABELS[outcome].word}</span>
              <span className="block text-ink-quiet text-xs">
                {OUTCOME_LABELS[outcome].meaning}
                {outcome === 'lost' && lostInCheckout.payments > 0 && (
                  <>
                    {' '}
                    <Payments of={of} outcome="lost_in_checkout">
                      {lostInCheckout.payments.toLocaleString('en')} of them
                    </Payments>{' '}
                    had a checkout at another gateway and did not pay.
                  </>
                )}
              </span>
              {outcome === 'recovered' &&
                recoveredBy.map(({ gateway, payments, amount }) => (
                  <span key={gateway} className="block text-xs">
                    By {gatewayTitle(gateway)}:{' '}
                    <Payments of={of} outcome="recovered" gateway={gateway}>
                      {payments.toLocaleString('en')}
                    </Payments>
                    , {formatMoney(currency, amount)}
                  </span>
                ))}
            </dt>
            <dd className="m-0 text-right">
              {outcomes[outcome].payments === 0 ? (
                0
              ) : (
                <Payments of={of} outcome={outcome}>
                  {outcomes[outcome].payments.toLocaleString('en')}
                </Payments>
              )}
            </dd>
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

/** A number of payments that opens the list of exactly these. */
function Payments({
  of: { incidentId, merchantId, currency },
  outcome = null,
  gateway = null,
  className = '',
  children,
}: {
  of: ImpactOf;
  outcome?: PaymentFilters['outcome'][number] | null;
  gateway?: string | null;
  className?: string;
  children: ReactNode;
}) {
  const { mode } = useScope();
  const query = { affected: incidentId, outcome, at: gateway, currency };
  return (
    <Link
      href={hrefIn({ mode, merchantId }, '/payments', query)}
      prefetch={false}
      className={`text-ink underline decoration-line underline-offset-3 hover:decoration-ink ${className}`}
    >
      {children}
    </Link>
  );
}
