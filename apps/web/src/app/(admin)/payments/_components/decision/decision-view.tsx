'use client';

import { useQuery } from '@tanstack/react-query';
import Link from 'next/link';
import { useState } from 'react';
import { Badge, OutcomeGlyph } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { ReasonList } from '#/components/description-list/reason-list.tsx';
import { roles } from '#/components/list/table-roles.ts';
import { Refusal } from '#/components/page/refusal.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { ATTEMPT_LABELS } from '#/copy/attempts.ts';
import { CONDITION_LABELS, describeNotTried, isUnhealthy, UNHEALTHY_NOTE } from '#/copy/conditions.ts';
import { gatewayTitle } from '#/copy/gateways.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import type { Payment } from '../detail/payment-head.tsx';
import classes from './decision-matrix.module.css';

type Record = NonNullable<Payment['decision']['record']>;

/** The routing decision: its rationale, every account against every condition, and its reasons. */
export function DecisionView({ payment }: { payment: Payment }) {
  const { mode, merchantId } = payment;
  const { record, ruleSetVersion, ruleId } = payment.decision;
  const mayReadRules = useCan()('routing:read', merchantId);
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
        ) : !mayReadRules ? (
          <span>Rules version {ruleSetVersion}</span>
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

type Candidate = Payment['decision']['candidates'][number];
type Attempt = Payment['attempts'][number];
type Condition = Candidate['conditions'][number];

const CONDITIONS = ['configured', 'enabled', 'currency', 'method', 'amount', 'operator', 'health'] as const;

/**
 * Every account of the decision against every condition, and the result. In a narrow container each row is a card that
 * names only the conditions that did not simply hold.
 */
export function DecisionMatrix({ payment }: { payment: Payment }) {
  const { candidates } = payment.decision;
  return (
    <div className="@container/matrix">
      <table className={classes.matrix} {...roles.table} aria-label="Accounts against conditions">
        <thead {...roles.group}>
          <tr {...roles.row}>
            <th {...roles.columnHeader}>Account</th>
            {CONDITIONS.map((condition) => (
              <th key={condition} {...roles.columnHeader} className={classes.condition}>
                {CONDITION_LABELS[condition]}
              </th>
            ))}
            <th {...roles.columnHeader}>Outcome</th>
          </tr>
        </thead>
        <tbody {...roles.group}>
          {candidates.map((candidate) => (
            <CandidateRow
              key={candidate.accountId}
              candidate={candidate}
              attempt={payment.attempts.findLast(({ accountId }) => accountId === candidate.accountId)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Result of the account for the payment: took it, failed, was not needed, or was ineligible; the row is styled by it. */
function placeOf({ eligible }: Candidate, attempt: Attempt | undefined): 'taken' | 'failed' | 'spare' | 'out' {
  if (attempt !== undefined) return attempt.current ? 'taken' : 'failed';
  return eligible ? 'spare' : 'out';
}

function CandidateRow({ candidate, attempt }: { candidate: Candidate; attempt: Attempt | undefined }) {
  return (
    <tr {...roles.row} data-place={placeOf(candidate, attempt)}>
      <th
        {...roles.rowHeader}
        scope="row"
        className="flex items-center gap-2.5 py-2.5 pr-2 pl-0 font-normal text-start @max-[619px]/matrix:p-0"
      >
        <span className={classes.place} aria-hidden="true">
          {attempt === undefined ? '' : attempt.position + 1}
        </span>
        <span className={classes.name}>
          {candidate.label ?? gatewayTitle(candidate.gateway)}
          <span className="text-ink-faint text-xs font-normal">{gatewayTitle(candidate.gateway)}</span>
        </span>
      </th>
      {CONDITIONS.map((name) => (
        <ConditionCell key={name} name={name} condition={candidate.conditions.find(({ condition }) => condition === name)} />
      ))}
      <td {...roles.cell} className={classes.outcome}>
        {describeOutcome(candidate, attempt)}
      </td>
    </tr>
  );
}

function ConditionCell({ name, condition }: { name: (typeof CONDITIONS)[number]; condition: Condition | undefined }) {
  if (condition === undefined) {
    return (
      <td {...roles.cell} className={classes.cell} data-outcome="unknown">
        –
      </td>
    );
  }
  return (
    <td
      {...roles.cell}
      className={classes.cell}
      data-outcome={condition.outcome}
      title={`${CONDITION_LABELS[name]}: ${condition.detail}`}
    >
      <OutcomeGlyph outcome={condition.outcome} />
      <span className={classes.detail}>
        <span>{CONDITION_LABELS[name]}: </span>
        {condition.detail}
      </span>
    </td>
  );
}

function describeOutcome(candidate: Candidate, attempt: Attempt | undefined): string {
  if (attempt !== undefined) {
    const { word } = ATTEMPT_LABELS[attempt.state];
    return `Tried ${ORDINALS[attempt.position] ?? `as number ${attempt.position + 1}`}: ${word.toLowerCase()}`;
  }
  return describeNotTried(candidate);
}

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'] as const;

/** Comparison with present rules, accounts and health (the same route or not), and recomputation of the recorded decision. */
export function RoutingNow({ payment }: { payment: Payment }) {
  const trpc = useTRPC();
  const can = useCan();
  const [asked, setAsked] = useState(false);
  const { data, error, isFetching, refetch } = useQuery(
    trpc.routing.explain.queryOptions({ paymentId: payment.paymentId }, { enabled: asked, staleTime: 0 }),
  );
  if (!can('routing:read', payment.merchantId)) return null;
  return (
    <div className="grid gap-3 justify-items-start mt-4">
      <Button loading={isFetching} onClick={() => (asked ? void refetch() : setAsked(true))}>
        Would it be routed the same way now?
      </Button>
      {error !== null && <Refusal message={error.message} />}
      {data !== undefined && (
        <div className="grid gap-2" aria-live="polite">
          {data.now !== null && (
            <Verdict good={data.now.comparison.same} message={data.now.message} differences={data.now.comparison.differences} />
          )}
          <Verdict
            good={data.recomputed.kind === 'same'}
            message={data.recomputed.message}
            differences={data.recomputed.differences}
          />
        </div>
      )}
    </div>
  );
}

function Verdict({ good, message, differences }: { good: boolean; message: string; differences: readonly string[] }) {
  return (
    <div>
      <p className="text-sm">
        <Badge tone={good ? 'good' : 'wait'}>{good ? 'Same' : 'Differs'}</Badge> {message}
      </p>
      {differences.length > 0 && (
        <ul className="pl-5 mt-1 text-ink-quiet text-sm">
          {differences.map((difference) => (
            <li key={difference}>{difference}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
