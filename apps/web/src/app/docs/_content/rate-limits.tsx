import Link from 'next/link';
import { RecordedAnswer } from '../_components/code/recorded.tsx';
import { Note, Table } from '../_components/prose.tsx';
import type { Topic } from './topic.ts';

/** How much and how large. */
export const rateLimits: Topic = {
  slug: 'rate-limits',
  label: 'Rate limits',
  title: 'Rate limits and other limits',
  lead: 'How many requests a key may send, how large they may be, and how long anything takes.',
  sections: [
    {
      id: 'requests',
      title: 'Requests',
      body: (
        <>
          <p>
            A key may send 1,000 requests a second to one process of Switchyard, unless the operator has set another limit. What
            is more is answered 429 at once, and <code>Retry-After</code> says how many seconds to wait. No other key is affected.
          </p>
          <RecordedAnswer name="tooManyRequests" />
          <p>
            When the whole service has more to do than it can, it answers 503 with <code>Retry-After</code>, lists and reports
            first and payments last.
          </p>
          <Note>
            Do not ask again and again whether a payment is paid: <Link href="/docs/webhooks">webhooks</Link> tell you within a
            second of the gateway telling us.
          </Note>
        </>
      ),
    },
    {
      id: 'sizes',
      title: 'Sizes',
      body: (
        <Table
          label="Limits of sizes"
          head={['What', 'At most']}
          rows={[
            ['A request body', '64 KiB'],
            [<code key="f">metadata</code>, '16 KiB, 5 levels deep'],
            [<code key="f">merchantOrderId, customer.id</code>, '128 characters'],
            [<code key="f">customer.email</code>, '254 characters'],
            [<code key="f">customer.phone</code>, '32 characters'],
            [<code key="f">redirectUrl</code>, '2,048 characters'],
            [<code key="f">amount</code>, '1 to 1,000,000,000,000 whole naira; gateways have limits of their own'],
            [<code key="f">Idempotency-Key</code>, '255 visible ASCII characters'],
            ['A page of a list', '100 entries'],
          ]}
        />
      ),
    },
    {
      id: 'times',
      title: 'Times',
      body: (
        <Table
          label="Limits of time"
          head={['What', 'How long']}
          rows={[
            ['Initiate, all gateways it tries together', '20 seconds at most'],
            ['A checkout', '60 minutes, or what the merchant has set, 5 minutes to 24 hours'],
            ['Late money is looked for', '72 hours after the checkout expired'],
            ['A payment that no gateway decides goes to review', '7 days after the checkout expired'],
            ['An Idempotency-Key is remembered', '24 hours'],
            ['Your answer to a webhook', '15 seconds'],
            ['Attempts to deliver an event', '14 over about three days'],
          ]}
        />
      ),
    },
  ],
};
