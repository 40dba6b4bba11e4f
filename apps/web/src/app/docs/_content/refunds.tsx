import Link from 'next/link';
import { CallOf } from '../_components/code/call-of.tsx';
import { RecordedAnswer } from '../_components/code/recorded.tsx';
import { Note, Table } from '../_components/prose.tsx';
import type { Topic } from './topic.ts';

/** Returning money. */
export const refunds: Topic = {
  slug: 'refunds',
  label: 'Refunds',
  title: 'Refunds',
  lead: 'Return all of a payment or a part of it. A refund takes the gateway minutes to days: you request it, and an event reports the result.',
  sections: [
    {
      id: 'request',
      title: 'Request a refund',
      body: (
        <>
          <p>
            Of a payment that has succeeded, refund any whole amount up to what is left. Without <code>amount</code>, all that is
            left is refunded. Send an <code>Idempotency-Key</code>: a call that is sent twice by mistake then refunds once.
          </p>
          <CallOf name="refundRequested" />
          <RecordedAnswer name="refundRequested" />
        </>
      ),
    },
    {
      id: 'statuses',
      title: 'How a refund ends',
      body: (
        <>
          <Table
            label="Statuses of a refund"
            head={['status', 'What it means', 'Event']}
            rows={[
              [<code key="s">PENDING</code>, 'Recorded, and followed until the gateway is done with it.', '–'],
              [<code key="s">SUCCESS</code>, 'The gateway has returned the money.', <code key="e">refund.succeeded</code>],
              [
                <code key="s">FAILED</code>,
                'No money was returned; the amount can be refunded again.',
                <code key="e">refund.failed</code>,
              ],
              [
                <code key="s">NEEDS_ATTENTION</code>,
                'The gateway waits for a person, for instance for the details of a bank account. failureReason says for what.',
                '–',
              ],
            ]}
          />
          <p>
            When refunds have reached the full amount, the payment becomes <code>REFUNDED</code> and <code>payment.refunded</code>{' '}
            is sent after the <code>refund.succeeded</code>.
          </p>
          <CallOf name="refund" />
          <RecordedAnswer name="refund" />
        </>
      ),
    },
    {
      id: 'refused',
      title: 'When a refund is refused',
      body: (
        <>
          <p>
            A payment that has not succeeded, or of which less is left, is answered with 409. <code>data.refundableAmount</code>{' '}
            is what is left.
          </p>
          <RecordedAnswer name="notRefundable" />
          <Note>
            Refunds that someone makes in the dashboard send the same events, and are in{' '}
            <Link href="/docs/api#listRefunds">the list of the payment's refunds</Link> as well.
          </Note>
        </>
      ),
    },
  ],
};
