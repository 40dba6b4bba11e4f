import { InstallationCode } from '../_components/code/installation-code.tsx';
import { SampleView } from '../_components/code/sample-view.tsx';
import { Table } from '../_components/prose.tsx';
import { SAMPLE_URL, samples } from './samples/index.ts';
import type { Topic } from './topic.ts';

const CLI = `switchyard login --url ${SAMPLE_URL}
switchyard payments list --status PENDING
switchyard listen --forward-to http://localhost:4242/webhooks
switchyard trigger payment.succeeded`;

/** Libraries and tools beside the API itself. Each has its row here. */
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
            <code>apps/example-shop</code>: <code>npm run example-shop</code> there starts it.
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
          <InstallationCode code={CLI} title="Terminal" label="the commands" />
        </>
      ),
    },
    {
      id: 'migrating',
      title: 'Code written for Paystack or Flutterwave',
      body: (
        <p>
          Code that talks to Paystack or to Flutterwave v3 can talk to Switchyard instead, with another address and another key:{' '}
          <a href="/docs/migrating">migrating from a gateway</a>.
        </p>
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
