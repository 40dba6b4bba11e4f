'use client';

import Link from 'next/link';
import { ReasonList } from '#/components/description-list/reason-list.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { isUnhealthy, UNHEALTHY_NOTE } from '#/copy/conditions.ts';
import { hrefIn } from '#/scope/scope.ts';
import type { Payment } from '../detail/payment-head.tsx';
import { DecisionMatrix } from './decision-matrix.tsx';

type Record = NonNullable<Payment['decision']['record']>;

/** The routing decision: its rationale, every account against every condition, and its reasons. */
export function DecisionView({ payment }: { payment: Payment }) {
  const { mode, merchantId } = payment;
  const { record, ruleSetVersion, ruleId } = payment.decision;
  if (record === null)
    return (
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-ink-faint text-xs [&_code]:text-ink-quiet">
        The decision was recorded in a form that this version cannot read.
      </p>
    );
  const decidedAt = new Date(record.decidedAt);
  return (
    <div className="grid gap-3">
      <p className="text-sm font-medium">{record.rationale}</p>
      <p className="flex flex-wrap gap-x-4 gap-y-1 text-ink-faint text-xs [&_code]:text-ink-quiet">
        <code>{record.contextKey}</code>
        <span>{ruleId === null ? RATIONALES[record.rationaleCode] : `Rule ${ruleId}`}</span>
        {ruleSetVersion === 0 ? (
          <span>No rules published</span>
        ) : (
          <Link href={hrefIn({ mode, merchantId }, '/routing/history', { version: String(ruleSetVersion) })}>
            Rules version {ruleSetVersion}
          </Link>
        )}
        <span>
          Decided <Moment value={decidedAt} />
        </span>
      </p>
      {payment.decision.candidates.length === 0 ? (
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-ink-faint text-xs [&_code]:text-ink-quiet">
          The merchant had no account in this mode.
        </p>
      ) : (
        <DecisionMatrix payment={payment} />
      )}
      {payment.decision.candidates.some(({ eligible, conditions }) => eligible && isUnhealthy(conditions)) && (
        <p className="flex flex-wrap gap-x-4 gap-y-1 text-ink-faint text-xs [&_code]:text-ink-quiet">{UNHEALTHY_NOTE}</p>
      )}
      <ReasonList reasons={record.reasons} />
    </div>
  );
}

const RATIONALES: { readonly [code in Record['rationaleCode']]: string } = {
  smart_routing_rule: 'By a rule',
  default_provider_order: 'By the default order',
  requested_gateway: 'Requested by the merchant',
  no_eligible_provider: 'No account could take it',
};
