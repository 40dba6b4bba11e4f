import Link from 'next/link';
import { RecordedAnswer } from '../_components/code/recorded.tsx';
import { Note, Steps, Table } from '../_components/prose.tsx';
import type { Topic } from './topic.ts';

/** The life of a payment, from the call to the order that is shipped. */
export const payments: Topic = {
  slug: 'payments',
  label: 'How a payment goes',
  title: 'How a payment goes',
  lead: 'What happens between your call and the money: who redirects whom, what each status means, and when you may ship.',
  sections: [
    {
      id: 'steps',
      title: 'Step by step',
      body: (
        <>
          <Steps>
            <li>
              Your server calls <Link href="/docs/api#initiatePayment">initiate</Link>. The payment is recorded, a gateway is
              chosen by the merchant's rules and by how well gateways work at the moment, and a checkout is opened there. When
              that gateway does not answer, the next one is asked: your answer looks the same.
            </li>
            <li>
              You send the customer to <code>session.redirectUrl</code>, the gateway's own checkout.
            </li>
            <li>
              The customer pays, or does not. The gateway sends the browser back to Switchyard, which asks the gateway what
              happened.
            </li>
            <li>
              Switchyard redirects the browser to your <code>redirectUrl</code> with <code>paymentId</code> added.
            </li>
            <li>
              Your server <a href="#verify">verifies</a> the payment, and your <Link href="/docs/webhooks">webhook endpoint</Link>{' '}
              receives <code>payment.succeeded</code>. Whichever comes first may complete the order; the other finds it complete.
            </li>
          </Steps>
          <Note>
            A redirect is no proof. It says only that the customer came back, and a customer who pays and closes the browser never
            does. Ship on a verified <code>SUCCESS</code> or a signed webhook, and on nothing else.
          </Note>
        </>
      ),
    },
    {
      id: 'redirect',
      title: 'Where the customer comes back to',
      body: (
        <>
          <p>
            <code>paymentId</code> is set in the query of your address. What the query holds already stays, one named{' '}
            <code>paymentId</code> is replaced, and a fragment is kept:
          </p>
          <Table
            label="Redirect addresses"
            head={['You send', 'The customer arrives at']}
            rows={[
              [
                <code key="a">https://shop.example/thanks</code>,
                <code key="b">https://shop.example/thanks?paymentId=019a…</code>,
              ],
              [
                <code key="a">https://shop.example/thanks?cart=7#top</code>,
                <code key="b">https://shop.example/thanks?cart=7&amp;paymentId=019a…#top</code>,
              ],
              ['no redirectUrl', "The merchant's default address, which is set in the dashboard"],
              ['none there either', 'A page of ours that shows the customer the result'],
            ]}
          />
          <p>
            Addresses are <code>https</code>; in test mode <code>http</code> works as well, so that{' '}
            <code>http://localhost:8080/thanks</code> does. At most 2,048 characters, without a user name or password.
          </p>
        </>
      ),
    },
    {
      id: 'statuses',
      title: 'Statuses',
      body: (
        <>
          <Table
            label="Statuses of a payment"
            head={['status', 'executionStatus', 'What it means, and what to do']}
            rows={[
              [
                <code key="s">INITIATED</code>,
                <code key="e">processing</code>,
                'Recorded; no gateway has opened a checkout yet. You see it only when you read a payment while initiate is still running.',
              ],
              [
                <code key="s">PENDING</code>,
                <code key="e">processing</code>,
                'The customer can pay. Wait for the webhook, or verify again later. It ends when the checkout expires: after 60 minutes, unless the merchant has set another time.',
              ],
              [
                <code key="s">SUCCESS</code>,
                <code key="e">succeeded</code>,
                'A gateway proved that the full amount in the right currency arrived. Ship. A partial refund leaves it SUCCESS.',
              ],
              [
                <code key="s">FAILED</code>,
                <code key="e">failed</code>,
                'No gateway opened a checkout, or a gateway proved that nothing was paid. Let the customer try again, under a new merchantOrderId.',
              ],
              [
                <code key="s">REFUNDED</code>,
                <code key="e">refunded</code>,
                <>
                  All of it was <Link href="/docs/refunds">refunded</Link>.
                </>,
              ],
            ]}
          />
          <p>
            A payment moves along <code>INITIATED → PENDING → SUCCESS → REFUNDED</code>, or ends <code>FAILED</code>. One move
            surprises: <code>FAILED → SUCCESS</code>. Money can arrive late, for 72 hours after the checkout expired, and is then
            not hidden from you: <code>payment.succeeded</code> is sent, and you ship or refund.
          </p>
          <p>
            A payment that its gateway does not decide stays <code>PENDING</code>. Seven days after its checkout expired it goes
            to review: <code>payment.requires_review</code> is sent, and a person settles it.
          </p>
        </>
      ),
    },
    {
      id: 'verify',
      title: 'Verify before you ship',
      body: (
        <>
          <p>
            <Link href="/docs/api#verifyPayment">Verify</Link> asks the gateway, unless the payment has succeeded already, and
            answers the record of the last change: the same record, with the same id, that your webhook endpoint receives. Call it
            as often as you like.
          </p>
          <p>Before you ship, compare four things with your own order, because the id came from a browser:</p>
          <ul>
            <li>
              <code>data.data.status</code> is <code>SUCCESS</code>
            </li>
            <li>
              <code>data.data.merchantOrderId</code> is this order
            </li>
            <li>
              <code>data.data.amount</code> is what the order costs
            </li>
            <li>
              <code>data.data.currency</code> is <code>NGN</code>
            </li>
          </ul>
          <p>A payment that is not paid yet is answered with status 200 too:</p>
          <RecordedAnswer name="verifiedPending" />
        </>
      ),
    },
    {
      id: 'no-gateway',
      title: 'When no gateway can open a checkout',
      body: (
        <>
          <p>
            Initiate answers 200 with <code>status: FAILED</code> and <code>session: null</code>. Check for it before you
            redirect. <code>routing.reasons</code> says what each gateway answered. The order id is used up: offer to try again,
            under a new one.
          </p>
          <RecordedAnswer name="everyGatewayFailed" />
        </>
      ),
    },
    {
      id: 'method',
      title: 'The payment method',
      body: (
        <>
          <p>
            <code>paymentMethod</code> is optional. It matches the merchant's routing rules; without it none can match, and the
            default order of gateways applies. It is one of <code>CARD</code>, <code>TRANSFER</code> (or{' '}
            <code>BANK_TRANSFER</code>), <code>USSD</code>, <code>BANK</code>, <code>QR</code>, <code>WALLET</code>,{' '}
            <code>MOBILE_MONEY</code> and <code>DIRECT_DEBIT</code>, in upper or lower case.
          </p>
          <p>
            Leave the choice of the gateway to the rules. <code>requestedGateway</code> exists to test one gateway: it puts the
            rules aside, and with them what they are for.
          </p>
        </>
      ),
    },
    {
      id: 'unknown-fields',
      title: 'Fields that are not ours',
      body: (
        <>
          <p>
            A typing mistake in an optional field would go unnoticed until a customer notices it. In test mode, a field whose name
            is nearly one of ours is therefore refused:
          </p>
          <RecordedAnswer name="misspeltField" />
          <p>
            Any other field that is not ours is ignored, and the response header <code>Switchyard-Ignored-Fields</code> names it.
            In live mode misspelt fields are ignored and named as well, so that a deployment never fails for one. What{' '}
            <code>metadata</code> holds is yours and never looked at.
          </p>
        </>
      ),
    },
  ],
};
