import Link from 'next/link';
import { Fragment } from 'react';
import { InstallationCode } from '../_components/code/installation-code.tsx';
import { Note, Table } from '../_components/prose.tsx';
import { SandboxAddress } from '../_components/sandbox-address.tsx';
import { SANDBOX_SAMPLE_URL } from './samples/languages.ts';
import sandbox from './sandbox.json' with { type: 'json' };
import type { Topic } from './topic.ts';

const SET_FAULT = `# Paystack answers every call with 500, until you end it
curl -X PUT ${SANDBOX_SAMPLE_URL}/control/paystack/fault -d '{ "kind": "http_500" }'

# End it
curl -X DELETE ${SANDBOX_SAMPLE_URL}/control/paystack/fault`;

const SETTLE = `# As if the customer had paid: the reference is session.reference of initiate
curl -X POST ${SANDBOX_SAMPLE_URL}/control/paystack/transactions/$REFERENCE/settle \\
  -d '{ "outcome": "success" }'`;

/** Trying everything without money. */
export const testing: Topic = {
  slug: 'testing',
  label: 'Testing',
  title: 'Test cards and faults',
  lead: 'In test mode no money moves. The sandbox plays each gateway, its checkout, its webhooks and its bad days, so that you can try what you hope never to see.',
  sections: [
    {
      id: 'mode',
      title: 'Test mode',
      body: (
        <>
          <p>
            The mode follows the key. A <code>sk_test_</code> key reaches test accounts only; a live payment does not exist for
            it. A test account can be at the sandbox that comes with Switchyard, or at a gateway's own test environment: use that
            gateway's test cards there.
          </p>
          <p>
            <SandboxAddress /> Its first page lists payments, webhooks and the faults of each gateway.
          </p>
        </>
      ),
    },
    {
      id: 'cards',
      title: 'Test cards',
      body: (
        <>
          <p>
            The checkout of the sandbox lists the cards of its gateway; choose one and it is filled in. Any expiry in the future
            is taken. Any other number is declined.
          </p>
          {sandbox.gateways.map(({ name, title, cards }) => (
            <Fragment key={name}>
              <h3 id={`cards-${name}`}>{title}</h3>
              <Table
                label={`Test cards of ${title}`}
                head={['Number', 'What happens', 'CVV', 'PIN, OTP']}
                rows={cards.map((card) => [
                  <code key="number">{card.number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}</code>,
                  card.name,
                  card.cvv ?? 'any',
                  [card.pin, card.otp].filter((each) => each !== null).join(', ') || '–',
                ])}
              />
            </Fragment>
          ))}
        </>
      ),
    },
    {
      id: 'faults',
      title: 'Fault switches',
      body: (
        <>
          <p>
            Give a gateway of the sandbox a fault, then send a payment. Watch the fallback take it, a webhook arrive twice, or an
            amount come short. One fault at a time per gateway, on the sandbox's page or by a call:
          </p>
          <InstallationCode code={SET_FAULT} title="Set a fault and end it" label="the commands" />
          <Table
            label="Faults of a gateway"
            head={['kind', 'What the gateway does']}
            rows={sandbox.faults.map(({ kind, does }) => [<code key="kind">{kind}</code>, does])}
          />
        </>
      ),
    },
    {
      id: 'settle',
      title: 'Pay without a browser',
      body: (
        <>
          <p>
            For tests of your own: act as the customer by a call. Outcomes are <code>success</code>, <code>failed</code> and{' '}
            <code>abandoned</code>; with <code>amount</code>, in the gateway's own unit, less or more arrives than was asked for.
          </p>
          <InstallationCode code={SETTLE} title="Settle a payment" label="the command" />
        </>
      ),
    },
    {
      id: 'list',
      title: 'What to try before going live',
      body: (
        <>
          <ul>
            <li>A card that is declined: your page offers to try again, under a new order id.</li>
            <li>
              Close the browser after paying: the order is completed by the <Link href="/docs/webhooks">webhook</Link> alone.
            </li>
            <li>
              <code>duplicate_webhook</code>: the order is completed once.
            </li>
            <li>
              <code>http_500</code> at the first gateway: the payment goes through at the second, and your code does not notice.
            </li>
            <li>
              The same fault at every gateway: <code>session</code> is null, and your page says so.
            </li>
            <li>
              <code>underpaid</code>: the order is not shipped, and <code>payment.requires_review</code> reaches someone.
            </li>
            <li>Open your redirect address with the payment id of another order: nothing is shipped.</li>
          </ul>
          <Note>Switch your webhook endpoint off for an hour, switch it on again, and watch every event arrive, in order.</Note>
        </>
      ),
    },
  ],
};
