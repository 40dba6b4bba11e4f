'use client';

import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useState } from 'react';
import { TimeLeft } from '#/app/(admin)/disputes/_components/time-left.tsx';
import { useDispute } from '#/app/(admin)/disputes/_components/use-disputes.ts';
import { RememberOpened } from '#/app-shell/commands/recent/remember-opened.tsx';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { Copyable } from '#/components/copyable/copyable.tsx';
import { Description, DescriptionList } from '#/components/description-list/description-list.tsx';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { UnknownStatus } from '#/components/unknown-status/unknown-status.tsx';
import {
  DISPUTE_STATE_LABELS,
  DUE_SOURCES,
  describeHistory,
  isOpenDispute,
  isRecorded,
  RESPONSE_LABELS,
  type WholeDispute,
} from '#/copy/disputes.ts';
import { describePayer } from '#/copy/payers.ts';
import { formatMoney } from '#/format/amounts.ts';
import { describeDayAndClock } from '#/format/moments.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useCan } from '#/trpc/use-can.ts';
import { EvidenceSection } from './evidence.tsx';

const AnswerDialog = dynamic(() => import('./answer-dialog.tsx').then((module) => module.AnswerDialog));
const RecordDialog = dynamic(() => import('./by-hand.tsx').then((module) => module.RecordDialog));
const SettleDialog = dynamic(() => import('./by-hand.tsx').then((module) => module.SettleDialog));

/** One dispute: the time left, the payment, the evidence, the answer and the history. */
export function DisputePage({ disputeId }: { disputeId: string }) {
  const scope = useScope();
  const can = useCan();
  const dispute = useDispute(disputeId);
  const [dialog, setDialog] = useState<'answer' | 'record' | 'settle' | null>(null);
  if (dispute === undefined) return null;
  const { state, currency, amount, responses } = dispute;
  const mayAct = can('reconciliation:resolve', dispute.merchantId);
  const last = responses.at(-1);
  const isAnswered = responses.some((one) => one.stage === (dispute.stage ?? '') && one.state !== 'REFUSED');
  const close = () => setDialog(null);
  return (
    <>
      <BackLink href={hrefIn(scope, '/disputes')}>Disputes</BackLink>
      <RememberOpened
        kind="dispute"
        id={disputeId}
        title={`${formatMoney(currency, amount)}, ${dispute.payment?.merchantOrderId ?? dispute.reference ?? dispute.gatewayDisputeId}`}
        mode={dispute.mode}
        merchantId={dispute.merchantId}
      />
      <PageHead title={`${formatMoney(currency, amount)} disputed`}>
        {mayAct && (isOpenDispute(dispute) || dispute.fee === null) && (
          <Button onClick={() => setDialog('record')}>{isRecorded(dispute) ? 'Record outcome…' : 'Record fee…'}</Button>
        )}
        {mayAct && last?.state === 'UNKNOWN' && <Button onClick={() => setDialog('settle')}>Confirm response…</Button>}
        {mayAct && state === 'NEEDS_RESPONSE' && !isAnswered && (
          <Button variant="accent" onClick={() => setDialog('answer')}>
            Respond…
          </Button>
        )}
      </PageHead>
      <p className="flex flex-wrap gap-x-3 gap-y-1 items-center -mt-2 mb-5 text-ink-quiet text-sm">
        <Badge tone={DISPUTE_STATE_LABELS[state].tone}>{DISPUTE_STATE_LABELS[state].word}</Badge>
        {state === 'NEEDS_RESPONSE' && <TimeLeft dispute={dispute} />}
        {dispute.gatewayTitle} · {dispute.accountLabel} · {dispute.merchantName}
      </p>
      <UnknownStatus message={dispute.unrecognised} record={dispute.unrecognisedRecord}>
        See {dispute.gatewayTitle}’s dashboard, respond if it waits for a response, and record the outcome here.
      </UnknownStatus>
      {dispute.payment === null && (
        <p className="max-w-[90ch] mb-5">
          Its payment is not in the ledger: other software took it at {dispute.accountLabel}. It needs a response in time all the
          same; nothing of a payment changes here.
        </p>
      )}
      {state === 'NEEDS_RESPONSE' && <Consequence dispute={dispute} />}
      <div className="grid gap-x-10 gap-y-7 grid-cols-[minmax(0,1.4fr)_minmax(260px,1fr)] max-laptop:grid-cols-1">
        <div className="grid gap-7 content-start">
          <EvidenceSection dispute={dispute} mayAct={mayAct && isOpenDispute(dispute)} />
          <Answers dispute={dispute} />
          <History dispute={dispute} />
        </div>
        <Facts dispute={dispute} />
      </div>
      {dialog === 'answer' && <AnswerDialog dispute={dispute} onClose={close} />}
      {dialog === 'record' && <RecordDialog dispute={dispute} onClose={close} />}
      {dialog === 'settle' && last !== undefined && <SettleDialog dispute={dispute} response={last} onClose={close} />}
    </>
  );
}

/** The end of a dispute without a response, as its gateway publishes it. */
function Consequence({ dispute: { support, gatewayTitle, currency, amount } }: { dispute: WholeDispute }) {
  const sum = formatMoney(currency, amount);
  const fate =
    support?.unanswered === 'accepted'
      ? `Without a response ${gatewayTitle} takes it as accepted, and ${sum} goes back to the customer.`
      : support?.unanswered === 'lost'
        ? `Without a response it is lost, and ${sum} goes back to the customer.`
        : `${gatewayTitle} does not publish what becomes of a dispute without a response.`;
  return (
    <p className="max-w-[90ch] mb-5">
      {fate}{' '}
      {support?.responses.length === 0 &&
        `${gatewayTitle} takes responses on its own dashboard alone: respond there, and record it here.`}
    </p>
  );
}

function Answers({ dispute }: { dispute: WholeDispute }) {
  const { responses, currency } = dispute;
  if (responses.length === 0) return null;
  return (
    <section aria-label="Responses">
      <h2 className="mb-2 text-base font-semibold">Responses</h2>
      <ul className="grid gap-3">
        {responses.map(({ responseId, action, state, amount, message, failure, createdAt }) => (
          <li key={responseId} className="grid gap-1">
            <span className="flex flex-wrap gap-2 items-center">
              <Badge tone={RESPONSE_LABELS[state].tone}>{RESPONSE_LABELS[state].word}</Badge>
              {action === 'ACCEPT' ? `Accepted, ${formatMoney(currency, amount ?? '0')} goes back` : 'Contested'}
              <span className="text-ink-quiet text-sm">
                <Moment value={createdAt} />
              </span>
            </span>
            <span className="text-ink-quiet">{message}</span>
            {failure !== null && <span className="text-bad-ink">{failure}</span>}
            {state === 'UNKNOWN' && (
              <span className="text-ink-quiet text-sm">
                The gateway is asked about it again and again; it is not sent a second time.
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

function History({ dispute: { history, people } }: { dispute: WholeDispute }) {
  return (
    <section aria-label="History">
      <h2 className="mb-2 text-base font-semibold">History</h2>
      <ol className="grid gap-1.5">
        {history.map((entry) => (
          <li key={entry.id} className="flex flex-wrap gap-x-2">
            <span>{describeHistory(entry)}</span>
            <span className="text-ink-quiet">
              {entry.actor !== null && `${people.get(entry.actor.replace('staff:', '')) ?? 'former team member'}, `}
              <Moment value={entry.createdAt} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Facts({ dispute }: { dispute: WholeDispute }) {
  const scope = useScope();
  const { payment, paymentId, currency, dueAt, dueSource, closedAt, fee, category, stage } = dispute;
  return (
    <section aria-label="Details">
      <h2 className="mb-2 text-base font-semibold">Details</h2>
      <DescriptionList>
        {payment === null ? (
          <Description name="Payment">Not in the ledger</Description>
        ) : (
          <>
            <Description name="Payment">
              <Link href={hrefIn(scope, `/payments/${paymentId}`)}>
                {payment.merchantOrderId}, {formatMoney(currency, payment.amount)}
              </Link>
            </Description>
            <Description name="Customer">
              <Link href={hrefIn(scope, `/customers/${paymentId}`)}>{payment.customerEmail}</Link>
            </Description>
            <Description name="Transfer from">{dispute.payer === null ? null : describePayer(dispute.payer)}</Description>
            <Description name="Paid">{payment.paidAt === null ? null : <Moment value={payment.paidAt} />}</Description>
            <Description name="Reversed">
              {payment.reversedAmount === '0' ? null : formatMoney(currency, payment.reversedAmount)}
            </Description>
            <Description name="By this dispute">
              {dispute.takenBack === '0' ? null : formatMoney(currency, dispute.takenBack)}
            </Description>
          </>
        )}
        <Description name="Reference">
          {dispute.reference === null ? null : <Copyable text={dispute.reference} label="the reference" />}
        </Description>
        <Description name="Transaction">
          {dispute.transactionId === null || dispute.transactionId === '' ? null : (
            <Copyable text={dispute.transactionId} label="the transaction" />
          )}
        </Description>
        <Description name="Dispute">
          <Copyable text={dispute.gatewayDisputeId} label="the gateway’s reference" />
        </Description>
        <Description name="Type">{[category, stage].filter((word) => word !== null).join(', ') || null}</Description>
        <Description name="Dispute fee">{fee === null ? null : formatMoney(currency, fee)}</Description>
        <Description name="Due">
          {dueAt === null ? null : (
            <>
              <Moment value={dueAt} describe={describeDayAndClock} />
              {dueSource !== null && `, ${DUE_SOURCES[dueSource]}`}
            </>
          )}
        </Description>
        <Description name="Opened">
          <Moment value={dispute.openedAt} />
          {dispute.manual && ', recorded by staff'}
        </Description>
        <Description name="Closed">{closedAt === null ? null : <Moment value={closedAt} />}</Description>
      </DescriptionList>
    </section>
  );
}
