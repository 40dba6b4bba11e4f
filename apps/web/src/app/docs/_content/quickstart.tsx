import Link from 'next/link';
import { CodeBlock } from '../_components/code/code-block.tsx';
import { RecordedAnswer } from '../_components/code/recorded.tsx';
import { SampleView } from '../_components/code/sample-view.tsx';
import { Note, Steps } from '../_components/prose.tsx';
import { samples } from './samples/index.ts';
import type { Topic } from './topic.ts';

/** From a key to a verified payment. */
export const quickstart: Topic = {
  slug: 'quickstart',
  label: 'Quickstart',
  title: 'Your first payment in ten minutes',
  lead: 'Start a payment from your server, pay it with a test card, and verify it. Three calls are all an integration needs; everything else makes it sturdier.',
  sections: [
    {
      id: 'key',
      title: 'Get a test key',
      body: (
        <>
          <p>
            In the dashboard, open <strong>Keys</strong> in test mode and create a key. It begins with <code>sk_test_</code>, is
            shown once, and reaches test accounts only: nothing you do with it moves money. A Switchyard that you started yourself
            with <code>npm start</code> prints one.
          </p>
          <p>Keep it where your server reads its secrets. The samples take it from the environment:</p>
          <CodeBlock code="export SWITCHYARD_API_KEY=sk_test_…" language="curl" title="Terminal" label="the setting" />
          <Note tone="caution">
            A key belongs on a server. Anyone who has it can start payments and refund them: never put it in a browser, an app or
            a repository.
          </Note>
        </>
      ),
    },
    {
      id: 'initiate',
      title: 'Start a payment',
      body: (
        <>
          <p>
            Send what you know of the order. <code>amount</code> is in whole naira: 2500 is ₦2,500, not ₦25.{' '}
            <code>merchantOrderId</code> is your own reference, and can be used once.
          </p>
          <SampleView sample={samples.initiate} />
          <p>
            The answer says which gateway takes the payment, why, and where the customer pays. You need two of its fields:{' '}
            <code>data.paymentId</code>, to keep with your order, and <code>data.recommendedGateway.session.redirectUrl</code>.
          </p>
          <RecordedAnswer name="initiated" />
        </>
      ),
    },
    {
      id: 'pay',
      title: 'Send the customer to the checkout',
      body: (
        <>
          <p>
            Redirect the customer to that address. With a test key at the sandbox, it opens a checkout that lists{' '}
            <Link href="/docs/testing#cards">test cards</Link>. Pay with the first one.
          </p>
          <p>
            Afterwards the browser comes back to your <code>redirectUrl</code> with the id added:
          </p>
          <CodeBlock
            code="https://shop.example/thanks?paymentId=019a9d3c-0fbd-7ca9-979d-729ff1c9c74e"
            language="text"
            title="Where the customer arrives"
            label="the address"
          />
        </>
      ),
    },
    {
      id: 'verify',
      title: 'Verify before you ship',
      body: (
        <>
          <p>
            Anyone can open that address, with any id. So ask us, from your server, and compare the answer with your order before
            you hand anything over.
          </p>
          <SampleView sample={samples.verify} />
          <p>
            <code>data.data.status</code> is <code>SUCCESS</code> once a gateway has proved that the full amount arrived. Verify
            answers <code>PENDING</code> while the customer has not paid; that is an answer too, and no error.
          </p>
          <RecordedAnswer name="verifiedSucceeded" />
        </>
      ),
    },
    {
      id: 'next',
      title: 'What is left to do',
      body: (
        <Steps>
          <li>
            <Link href="/docs/webhooks">Receive webhooks</Link>: a customer who closes the browser never comes back to your page,
            and has paid all the same.
          </li>
          <li>
            <Link href="/docs/idempotency">Try again safely</Link> when a call is not answered.
          </li>
          <li>
            <Link href="/docs/testing">Test what goes wrong</Link>: declined cards, gateways that are down, money that arrives
            twice.
          </li>
          <li>
            <Link href="/docs/going-live">Go live</Link> by changing the key.
          </li>
        </Steps>
      ),
    },
  ],
};
