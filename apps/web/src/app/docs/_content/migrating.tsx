import { MAPPINGS, type Mappings } from '@switchyard/api/compat-mappings';
import { Fragment, type ReactNode } from 'react';
import { BaseAddress } from '../_components/base-address.tsx';
import { Table } from '../_components/prose.tsx';
import type { Section, Topic } from './topic.ts';

/** Code that was written for a gateway, and what of it is answered here. The tables are those that the answers are made from. */
export const migrating: Topic = {
  slug: 'migrating',
  label: 'Migrating from a gateway',
  title: 'Code written for Paystack or Flutterwave',
  lead: 'Code that talks to Paystack or to Flutterwave v3 can talk to Switchyard instead. Change the address and the key, and keep the code.',
  sections: [
    {
      id: 'addresses',
      title: 'What to change',
      body: (
        <>
          <p>Payments follow your rules, fall back to other gateways, and answers keep the form that the code expects.</p>
          <Table
            label="Addresses in the gateways' own form"
            head={['Instead of', 'Use']}
            rows={[
              [<code key="before">https://api.paystack.co</code>, <BaseAddress key="after" path="/compat/paystack" />],
              [<code key="before">https://api.flutterwave.com</code>, <BaseAddress key="after" path="/compat/flutterwave" />],
              ["the gateway's secret key", 'a secret key of Switchyard'],
              [
                "the webhook address in the gateway's dashboard",
                'a webhook endpoint here, of the format paystack or flutterwave',
              ],
            ]}
          />
          <p>
            <strong>Developers, Switch over</strong> in the dashboard shows which payments still go to a gateway directly.
          </p>
        </>
      ),
    },
    describeDialect('Paystack', MAPPINGS.paystack),
    describeDialect('Flutterwave v3', MAPPINGS.flutterwave),
  ],
};

function describeDialect(name: string, { base, answered, refusedFields, refusedCalls, differences }: Mappings): Section {
  return {
    id: base,
    title: name,
    body: (
      <>
        <p>Every call that is not answered gets {name}&rsquo;s own error, so that nothing is left out silently.</p>
        <Table
          label={`Calls of ${name} that are answered`}
          head={['Call', 'What becomes of it']}
          rows={answered.map(({ call, becomes }) => [<code key="call">{call}</code>, markCode(becomes)])}
        />
        <Table
          label={`Calls and fields of ${name} that are refused`}
          head={['Refused', 'Because']}
          rows={[
            ...refusedCalls.map(({ call, why }) => [<code key="call">{call}</code>, markCode(why)]),
            ...refusedFields.map(({ call, field, why }) => [
              <Fragment key="field">
                <code>{field}</code> in <code>{call}</code>
              </Fragment>,
              markCode(why),
            ]),
          ]}
        />
        <Table
          label={`What differs from ${name}`}
          head={['What', 'Here']}
          rows={differences.map(({ what, here }) => [markCode(what), markCode(here)])}
        />
      </>
    ),
  };
}

/** Text in which backticks enclose code. */
function markCode(text: string): ReactNode {
  // Every second part was between backticks.
  return text.split('`').map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts never change.
    return index % 2 === 0 ? part : <code key={index}>{part}</code>;
  });
}
