import Link from 'next/link';
import { RecordedAnswer } from '../_components/code/recorded.tsx';
import { SampleView } from '../_components/code/sample-view.tsx';
import { Note, Table } from '../_components/prose.tsx';
import { samples } from './samples/index.ts';
import type { Topic } from './topic.ts';

/** Sending a request again without doing it twice. */
export const idempotency: Topic = {
  slug: 'idempotency',
  label: 'Idempotency',
  title: 'Try again without paying twice',
  lead: 'Networks lose answers. With an Idempotency-Key you can send a call again without asking yourself whether the first one was carried out.',
  sections: [
    {
      id: 'key',
      title: 'Send a key',
      body: (
        <>
          <p>
            Add the header <code>Idempotency-Key</code> to <Link href="/docs/api#initiatePayment">initiate</Link> and{' '}
            <Link href="/docs/api#refundPayment">refund</Link>: 1 to 255 visible ASCII characters. Make it of what the request is
            about, and keep it for every retry: the order id for a payment, the id of your own record for a refund.
          </p>
          <Table
            label="What a repeated key does"
            head={['The same key, and', 'Answer']}
            rows={[
              ['the same body, after the first was answered', 'The first answer again, byte for byte'],
              ['the same body, while the first is in flight', '409 with Retry-After'],
              ['another body or path', '422; nothing is done'],
              ['after 24 hours', 'The request counts as new'],
            ]}
          />
          <p>
            The order of fields in the body does not matter. Keys belong to the merchant and the mode: a test key and a live key
            with the same Idempotency-Key do not meet.
          </p>
        </>
      ),
    },
    {
      id: 'retry',
      title: 'A retry that is safe',
      body: (
        <>
          <p>
            Send again when there was no answer, after 500, and whenever an answer has <code>Retry-After</code>. Wait longer each
            time, and a little at random, so that a thousand clients do not come back in the same second.
          </p>
          <SampleView sample={samples.retry} />
        </>
      ),
    },
    {
      id: 'order-id',
      title: 'The order id protects you too',
      body: (
        <>
          <p>
            <code>merchantOrderId</code> is unique for ever, also without a key and after 24 hours. A second initiate is refused,
            and the answer names the payment that has the order:
          </p>
          <RecordedAnswer name="duplicateOrder" />
          <Note>
            Verify needs no key: it changes nothing that a second call would change again. Neither do the calls that read.
          </Note>
        </>
      ),
    },
    {
      id: 'in-flight',
      title: 'While the first request is in flight',
      body: (
        <>
          <p>
            Wait and ask again: the answer of the first request is yours as soon as it is there. Should the process that worked on
            it have died, your next request goes on with the same payment, about three seconds later at the latest.
          </p>
          <RecordedAnswer name="requestInFlight" />
        </>
      ),
    },
  ],
};
