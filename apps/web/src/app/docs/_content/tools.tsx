import { BaseAddress } from '../_components/base-address.tsx';
import { CodeBlock } from '../_components/code-block.tsx';
import { Table } from '../_components/prose.tsx';
import { SampleView } from '../_components/sample-view.tsx';
import { samples } from './samples/index.ts';
import type { Topic } from './topic.ts';

const CLI = `switchyard login
switchyard payments list --status PENDING
switchyard listen --forward-to http://localhost:4242/webhooks
switchyard trigger payment.succeeded`;

/** What saves work beside the API itself. Each library and tool has its row here. */
export const tools: Topic = {
  slug: 'tools',
  label: 'Libraries and tools',
  title: 'Libraries and tools',
  lead: 'The API is three calls of plain HTTP and JSON, and any HTTP client will do. These save you work.',
  sections: [
    {
      id: 'client',
      title: 'Client for TypeScript and JavaScript',
      body: (
        <>
          <p>
            <code>@switchyard/client</code> knows every field and error from its types, sends lost requests again under one
            Idempotency-Key, reads lists to their end and verifies webhooks. It runs in Node 20 or later, Bun, Deno and edge
            runtimes, and is in <code>packages/client</code> of Switchyard's repository, with an example shop in{' '}
            <code>apps/example-shop</code>.
          </p>
          <SampleView sample={samples.client} />
        </>
      ),
    },
    {
      id: 'cli',
      title: 'Command line',
      body: (
        <>
          <p>
            <code>switchyard</code> reads and verifies payments, takes webhooks to your own machine without a tunnel, and sends
            test events. It is in <code>packages/cli</code> of Switchyard's repository; <code>docs/cli.md</code> there says all of
            it.
          </p>
          <CodeBlock code={CLI} language="curl" title="Terminal" label="the commands" />
        </>
      ),
    },
    {
      id: 'migrating',
      title: 'Code written for Paystack or Flutterwave',
      body: (
        <>
          <p>
            Code that talks to Paystack or to Flutterwave v3 can talk to Switchyard instead. Change the address and the key, and
            keep the code: payments follow your rules, fall back to other gateways, and answers keep the form that the code
            expects.
          </p>
          <Table
            label="Addresses in the gateways' own form"
            head={['Instead of', 'Use']}
            rows={[
              [<code key="before">https://api.paystack.co</code>, <BaseAddress key="after" path="/compat/paystack" />],
              [<code key="before">https://api.flutterwave.com</code>, <BaseAddress key="after" path="/compat/flutterwave" />],
              ["the gateway's secret key", 'a key of Switchyard'],
              [
                "the webhook address in the gateway's dashboard",
                'a webhook endpoint here, of the format paystack or flutterwave',
              ],
            ]}
          />
          <p>
            <strong>Developers, Switch over</strong> in the dashboard shows what still arrives directly, and{' '}
            <code>docs/migrating.md</code> in the repository lists every call, and what cannot be mapped.
          </p>
        </>
      ),
    },
    {
      id: 'openapi',
      title: 'For every language',
      body: (
        <Table
          label="Libraries and tools"
          head={['What', 'What it is for']}
          rows={[
            [
              <a key="openapi" href="/v1/openapi.json">
                OpenAPI 3.1 document
              </a>,
              'Every endpoint, field, error and webhook, with recorded examples. Generate types or a client from it, or import it into Postman, Insomnia or Bruno.',
            ],
            [
              <a key="webhooks" href="https://www.standardwebhooks.com">
                Standard Webhooks
              </a>,
              'Libraries that check our signatures, for TypeScript, PHP, Python, Go, Java, Ruby, Rust, C# and Elixir.',
            ],
          ]}
        />
      ),
    },
  ],
};
