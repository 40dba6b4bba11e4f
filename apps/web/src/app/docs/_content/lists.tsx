import { CallOf } from '../_components/code/call-of.tsx';
import { RecordedAnswer } from '../_components/code/recorded.tsx';
import { Note, Table } from '../_components/prose.tsx';
import type { Topic } from './topic.ts';

/** Finding payments and events. */
export const lists: Topic = {
  slug: 'lists',
  label: 'Lists of payments and events',
  title: 'Lists of payments and events',
  lead: 'Find a payment by your own reference, list what happened in a period, and catch up on events after your server was away.',
  sections: [
    {
      id: 'payments',
      title: 'Find payments',
      body: (
        <>
          <p>
            <code>GET /v1/payments</code> lists payments of the key's mode, newest first. Lost the id? Ask by your own reference:
          </p>
          <CallOf name="paymentsOfOrder" />
          <RecordedAnswer name="paymentsOfOrder" />
          <Table
            label="Filters of payments"
            head={['Parameter', 'What it selects']}
            rows={[
              [<code key="p">merchantOrderId</code>, 'The payment with this reference, whole.'],
              [<code key="p">status</code>, 'One status or several, separated by commas: SUCCESS,REFUNDED.'],
              [<code key="p">customer</code>, "The customer's e-mail address, in any case, or your own id of the customer."],
              [
                <code key="p">createdFrom, createdTo</code>,
                'Recorded at or after, and before: 2026-11-21T00:00:00Z. With an offset, its plus sign is written %2B: 2026-11-21T00:00:00%2B01:00.',
              ],
              [<code key="p">limit</code>, 'How many, 1 to 100; 20 unless given.'],
              [<code key="p">cursor</code>, 'nextCursor of the page before.'],
            ]}
          />
        </>
      ),
    },
    {
      id: 'pages',
      title: 'Page by page',
      body: (
        <p>
          Every list answers <code>nextCursor</code>: send it as <code>cursor</code> with the same filters for the next page,
          until it is <code>null</code>. A cursor stays right while payments are added; it is a place in the list and not a page
          number. A parameter whose name is not known is refused, with the one that you may have meant, and so is one that is
          given twice.
        </p>
      ),
    },
    {
      id: 'events',
      title: 'Catch up on events',
      body: (
        <>
          <p>
            <code>GET /v1/events</code> lists the records that webhook endpoints receive, newest first, whether or not one was
            received. After your server was away, read back to the last event you know and handle the rest, oldest first.
          </p>
          <CallOf name="eventsOfPayment" />
          <RecordedAnswer name="eventsOfPayment" />
          <Note>
            Filter by <code>type</code>, <code>paymentId</code>, <code>createdFrom</code> and <code>createdTo</code>. The id of an
            event here is the id it has in the webhook: the code that handles webhooks can handle these.
          </Note>
        </>
      ),
    },
  ],
};
