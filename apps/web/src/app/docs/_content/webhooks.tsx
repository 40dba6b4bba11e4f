import type { MerchantEventType } from '@switchyard/api/rest';
import Link from 'next/link';
import { Fragment } from 'react';
import { CodeBlock } from '../_components/code/code-block.tsx';
import { EventBody } from '../_components/code/recorded.tsx';
import { SampleView } from '../_components/code/sample-view.tsx';
import { Note, Steps, Table } from '../_components/prose.tsx';
import { WithCode } from '../_reference/with-code.tsx';
import { samples } from './samples/index.ts';
import type { Topic } from './topic.ts';

/** Meaning of each event, and how to handle it. */
export const EVENT_GUIDE: Readonly<Record<MerchantEventType, { readonly means: string; readonly act: string }>> = {
  'payment.succeeded': {
    means: 'A gateway proved that the full amount arrived.',
    act: 'Complete the order, if that has not been done. After a `payment.failed` of the same payment, the money came late: complete the order or refund it.',
  },
  'payment.failed': {
    means: 'No gateway opened a checkout, or a gateway proved that nothing was paid.',
    act: 'Release what you had reserved. A later `payment.succeeded` of the same payment is possible.',
  },
  'payment.refunded': {
    means: 'Refunds have reached the full amount. Comes after the `refund.succeeded` of the refund that completed it.',
    act: 'Close the order.',
  },
  'refund.succeeded': {
    means:
      'A gateway returned money: of the payment, all of it or a part, of a duplicate charge, or money that did not match the order.',
    act: 'Tell the customer. `data.refund` is the refund with its amount; `data.amount` is that of the payment.',
  },
  'refund.failed': {
    means: 'A refund ended without money being returned.',
    act: 'Nothing was returned and the amount can be refunded again. `data.refund` is the refund, and its `failureReason` says why.',
  },
  'payment.requires_review': {
    means:
      'Money arrived that is not what the order costs, or the gateway has not said for seven days whether it was paid. The payment is not a success.',
    act: 'Do not ship. Someone decides in the dashboard: return the money, or close the payment as it is.',
  },
  'payment.duplicate_charge': {
    means: 'The customer paid a second time, for instance at two gateways.',
    act: 'Ship once. The second charge is refunded in the dashboard with one click, or by itself where the merchant has set so.',
  },
  'payment.reversed': {
    means:
      'The gateway took money of a paid payment back: the customer won a dispute (`cause` is `chargeback`), or the gateway reports its transaction as reversed. It is no refund, and `data.status` stays.',
    act: 'Do not ship what has not left, and do not refund it: the customer has the money. `data.reversal` says how much was taken back.',
  },
  'payment.reinstated': {
    means: 'The gateway gave back what it had taken: the payment is paid as before.',
    act: 'Undo what you did on `payment.reversed`. `data.reversal` says how much came back.',
  },
};

const HANDLE_ONCE = `BEGIN;
INSERT INTO handled_event (id) VALUES ('019a9d3c-1fe7-700b-9c3c-b6885eb37de5');
UPDATE orders SET paid_at = now() WHERE id = 'ORD-1001' AND paid_at IS NULL;
COMMIT;`;

/** Receiving events: types, signatures, retries, order. */
export const webhooks: Topic = {
  slug: 'webhooks',
  label: 'Webhooks',
  title: 'Webhooks',
  lead: 'Your server is told of everything that happens to a payment, also when the customer has closed the browser. Check the signature, handle each event once, answer within 15 seconds.',
  sections: [
    {
      id: 'add',
      title: 'Add an endpoint',
      body: (
        <Steps>
          <li>
            In the dashboard, open <strong>Webhooks</strong> and add the address of your server. In live mode it must be a public{' '}
            <code>https</code> address on port 443 or 8443; in test mode any port and <code>http</code> work too. Addresses of
            private networks are refused; <code>npm start</code> allows them in test mode.
          </li>
          <li>
            Copy the signing secret, <code>whsec_…</code>. It is shown once.
          </li>
          <li>
            Press <strong>Send a test event</strong>. It arrives as <code>webhook.test</code>, without a payment, and is not sent
            again.
          </li>
        </Steps>
      ),
    },
    {
      id: 'receive',
      title: 'Receive and verify',
      body: (
        <>
          <p>
            Every request is signed as <a href="https://www.standardwebhooks.com">Standard Webhooks</a> describes: HMAC-SHA256
            over id, timestamp and body, with your secret. Check it over the bytes as they came. A body that was parsed and
            written again has other bytes, and the check fails.
          </p>
          <SampleView sample={samples.receiveWebhook} />
          <Table
            label="Headers of a webhook"
            head={['Header', 'What it holds']}
            rows={[
              [
                <code key="h">webhook-id</code>,
                'The id of the event, and of the record in the body. The same each time the event is sent.',
              ],
              [
                <code key="h">webhook-timestamp</code>,
                'When it was sent, in seconds since 1970. Refuse what is older than five minutes.',
              ],
              [
                <code key="h">webhook-signature</code>,
                'v1, and the signature in base64. Two of them, separated by a space, while a secret is being replaced: one that fits is enough.',
              ],
            ]}
          />
          <p>
            In PHP, Python, Go and other languages the{' '}
            <a href="https://github.com/standard-webhooks/standard-webhooks#reference-implementations">
              libraries of Standard Webhooks
            </a>{' '}
            do the same as the samples.
          </p>
        </>
      ),
    },
    {
      id: 'once',
      title: 'Handle each event once',
      body: (
        <>
          <p>
            An event can come more than once: your answer may be lost on its way, or someone sends it again from the dashboard.
            Its <code>id</code> stays the same. Put that id in a column with a unique constraint, in the transaction that
            completes the order, and an event that comes again changes nothing.
          </p>
          <CodeBlock code={HANDLE_ONCE} language="text" title="In one transaction" label="the statements" />
          <Note>
            Answer first, work later: put the event in a queue of your own and answer 204. What takes longer than 15 seconds
            counts as not received, and is sent again.
          </Note>
        </>
      ),
    },
    {
      id: 'retries',
      title: 'Retries and order',
      body: (
        <>
          <p>
            Any 2xx answer means the event has arrived. Anything else, a redirect included, and it is sent again after 5 s, 30 s,
            2 min, 10 min, 30 min, 1 h, 2 h, 4 h, 8 h, 12 h and three times 14 h, each a little earlier at random: 14 attempts
            over about three days.
          </p>
          <ul>
            <li>
              Events of one payment come in the order in which they happened. A later one waits until the earlier one has arrived
              or has failed for good.
            </li>
            <li>Events of different payments come in any order.</li>
            <li>An endpoint that fails every attempt for five days is switched off, and its merchant is told.</li>
            <li>
              Nothing is lost: every delivery, with what your server answered, is in the dashboard, where one or a whole period
              can be sent again, and <Link href="/docs/lists#events">GET /v1/events</Link> lists what you missed.
            </li>
            <li>Answer 410 to have an endpoint switched off at once.</li>
          </ul>
        </>
      ),
    },
    {
      id: 'secret',
      title: 'Replace the secret',
      body: (
        <p>
          Press <strong>Rotate the secret</strong> in the dashboard and choose how long the old one goes on signing, at most 30
          days. Every message carries both signatures until then, so you can change over at any moment in between.
        </p>
      ),
    },
    {
      id: 'events',
      title: 'Every event',
      body: (
        <>
          <p>
            All have the same form: <code>id</code>, <code>type</code>, <code>createdAt</code>, <code>merchantNumber</code>, and
            in <code>data</code> the payment as the event left it; events of a refund carry the refund beside it. Be ready for
            types and fields that are added later: answer 2xx and do nothing.
          </p>
          {Object.entries(EVENT_GUIDE).map(([type, { means, act }]) => (
            <Fragment key={type}>
              <h3 id={type}>
                <code>{type}</code>
              </h3>
              <p>
                <WithCode text={`${means} ${act}`} />
              </p>
              <EventBody type={type} />
            </Fragment>
          ))}
        </>
      ),
    },
  ],
};
