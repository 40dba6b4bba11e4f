'use client';

import { IconChevronRight } from '@tabler/icons-react';
import { Badge } from '#/components/badge/badge.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { JsonView } from '#/components/copyable/json-view.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { ATTEMPT_LABELS, failureOwner } from '#/copy/attempts.ts';
import { gatewayTitle } from '#/copy/gateways.ts';
import { formatDecimal } from '#/format/amounts.ts';
import { describeShortLength } from '#/format/moments.ts';
import type { Payment } from './payment-head.tsx';

type Attempt = Payment['attempts'][number];

/** The attempts in order; each expands to its request and response. */
export function AttemptList({ payment }: { payment: Payment }) {
  if (payment.attempts.length === 0)
    return <p className="mt-1.5 text-ink-faint text-xs">No gateway was called: no account could take this payment.</p>;
  return (
    <ol className="border-t border-line">
      {payment.attempts.map((attempt) => (
        <li key={attempt.attemptId}>
          <AttemptView attempt={attempt} />
        </li>
      ))}
    </ol>
  );
}

function AttemptView({ attempt }: { attempt: Attempt }) {
  const { word, tone, meaning } = ATTEMPT_LABELS[attempt.state];
  return (
    <details className="group border-b border-line">
      <summary className="grid grid-cols-[16px_minmax(0,1fr)_auto_auto] items-center gap-x-3 gap-y-0.5 min-h-10 py-2 px-1 text-sm list-none cursor-pointer [&::-webkit-details-marker]:hidden hover:bg-ground-quiet">
        <IconChevronRight
          size={16}
          stroke={1.7}
          className="text-ink-faint transition-transform duration-100 group-open:rotate-90"
          aria-hidden="true"
        />
        <span className="min-w-0 [&_strong]:font-semibold">
          <strong>{gatewayTitle(attempt.gateway)}</strong>
          {attempt.accountLabel !== null && <span className="ml-2 text-ink-faint">{attempt.accountLabel}</span>}
        </span>
        <span className="mr-1.5 text-ink-quiet tabular-nums">
          {attempt.latencyMs === null ? '' : describeShortLength(attempt.latencyMs)}
        </span>
        <Badge tone={tone} title={meaning} warns={attempt.state === 'UNKNOWN' || attempt.duplicate}>
          {attempt.duplicate ? 'Paid twice' : word}
        </Badge>
        {attempt.failure !== null && <span className="col-[2_/_-1] text-bad-ink text-xs">{attempt.failure.message}</span>}
      </summary>
      <div className="pt-1 pr-1 pb-5 pl-8 max-tablet:pl-1">
        <DescriptionList>
          <Description name="Reference">
            <Copyable text={attempt.reference} label="reference" />
          </Description>
          <Description name="Transaction">
            {attempt.transactionId && <Copyable text={attempt.transactionId} label="transaction id" />}
          </Description>
          <Description name="Received">
            {attempt.received === null
              ? null
              : `${attempt.receivedCurrency ?? ''} ${formatDecimal(attempt.receivedCurrency, attempt.received)}`}
          </Description>
          <Description name="Failure">
            {attempt.failure && `${failureOwner(attempt.failure.class)} (${attempt.failure.code})`}
          </Description>
          <Description name="Started">
            <Moment value={attempt.createdAt} />
          </Description>
          <Description name="Last checked">{attempt.lastAskedAt && <Moment value={attempt.lastAskedAt} />}</Description>
        </DescriptionList>
        {attempt.call !== null && <CallView call={attempt.call} />}
      </div>
    </details>
  );
}

function CallView({ call }: { call: NonNullable<Attempt['call']> }) {
  return (
    <div className="mt-3">
      <p className="wrap-anywhere text-xs">
        <code>
          {call.method} {call.url}
        </code>
      </p>
      <h3 className="mt-3.5 mb-1.5 text-ink-faint text-xs font-medium">Request</h3>
      {call.request === null ? (
        <p className="mt-1.5 text-ink-faint text-xs">No body.</p>
      ) : (
        <JsonView text={call.request} label="the request" />
      )}
      <h3 className="mt-3.5 mb-1.5 text-ink-faint text-xs font-medium">
        Response{call.httpStatus === null ? '' : `, HTTP ${call.httpStatus}`}
      </h3>
      {call.answer === null ? (
        <p className="mt-1.5 text-ink-faint text-xs">No response.</p>
      ) : (
        <JsonView text={call.answer} label="the response" />
      )}
      <p className="mt-1.5 text-ink-faint text-xs">Secrets were redacted before this was recorded.</p>
    </div>
  );
}
