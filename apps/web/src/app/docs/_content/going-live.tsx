import Link from 'next/link';
import { Note, Steps, Table } from '../_components/prose.tsx';
import type { Topic } from './topic.ts';

/** From test to live. */
export const goingLive: Topic = {
  slug: 'going-live',
  label: 'Going live',
  title: 'Going live',
  lead: 'Live mode has the same API, the same answers and the same webhooks. What changes is the key, and that money moves.',
  sections: [
    {
      id: 'dashboard',
      title: 'In the dashboard, in live mode',
      body: (
        <Steps>
          <li>
            <strong>Gateways</strong>: connect a live account at two gateways at least, so that one can take over from the other,
            and test each connection there. Set their webhook addresses at the gateways as the page says.
          </li>
          <li>
            <strong>Routing</strong>: publish rules, or at least a default order. Without either no payment can be routed.
          </li>
          <li>
            <strong>Merchants</strong>: set the address that customers come back to when a payment names none.
          </li>
          <li>
            <strong>Webhooks</strong>: add your live endpoint. It has a secret of its own.
          </li>
          <li>
            <strong>Keys</strong>: create a live key, restricted to what your server does.
          </li>
        </Steps>
      ),
    },
    {
      id: 'keys',
      title: 'Keys',
      body: (
        <>
          <p>A key can be restricted to scopes, and to the addresses of your servers. Give each server a key of its own.</p>
          <Table
            label="Scopes of keys"
            head={['Scope', 'Calls']}
            rows={[
              [<code key="s">payments:write</code>, 'Initiate, verify'],
              [<code key="s">payments:read</code>, 'Read a payment, list payments'],
              [<code key="s">refunds:write</code>, 'Request refunds'],
              [<code key="s">refunds:read</code>, 'Read and list refunds'],
              [<code key="s">events:read</code>, 'List and stream events'],
              [<code key="s">rules:read</code>, 'Check routing rules'],
              [<code key="s">rules:write</code>, 'Save routing rules as a draft; only where it was granted by name'],
            ]}
          />
          <p>
            To replace a key, rotate it in the dashboard: the old one goes on working for as long as you choose. A key that was
            seen by someone else is revoked there, and refused within a second.
          </p>
        </>
      ),
    },
    {
      id: 'differences',
      title: 'What is stricter in live mode',
      body: (
        <ul>
          <li>
            <code>redirectUrl</code> and webhook addresses must be <code>https</code>, and webhooks go to public addresses only.
          </li>
          <li>
            A misspelt field is ignored and named in <code>Switchyard-Ignored-Fields</code>, not refused: look for that header in
            test mode, where it is cheap.
          </li>
          <li>Test payments, events, keys and secrets do not exist in live mode. Nothing is carried over but the merchant.</li>
        </ul>
      ),
    },
    {
      id: 'checklist',
      title: 'Before the first customer',
      body: (
        <>
          <ul>
            <li>The key comes from the server's secrets, and is in no repository, no browser and no log.</li>
            <li>
              An order is completed after <Link href="/docs/payments#verify">verify</Link> or a signed webhook, with amount,
              currency and order compared.
            </li>
            <li>
              The same event twice completes an order <Link href="/docs/webhooks#once">once</Link>.
            </li>
            <li>
              Calls that are not answered are <Link href="/docs/idempotency#retry">sent again</Link> with the same
              Idempotency-Key.
            </li>
            <li>
              A payment without a session, a declined card and a customer who gives up all lead to a page that offers another try.
            </li>
            <li>
              <code>X-Request-Id</code> and <code>paymentId</code> are logged.
            </li>
            <li>
              Someone is told of <code>payment.requires_review</code> and <code>payment.duplicate_charge</code>.
            </li>
          </ul>
          <Note>
            Then pay ₦100 yourself, with a card of your own, watch the webhook arrive, and refund it. Now all of it has worked
            once.
          </Note>
        </>
      ),
    },
  ],
};
