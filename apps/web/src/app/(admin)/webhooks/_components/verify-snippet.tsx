import { Command } from '#/components/first-payment/first-payment.tsx';
import { FORMAT_LABELS, type Format } from '#/copy/webhooks.ts';

const SNIPPET = `import express from 'express';
import { Webhook } from 'standardwebhooks';

const secret = process.env.SWITCHYARD_WEBHOOK_SECRET ?? ''; // whsec_…
// With an empty key anyone could sign.
if (Buffer.from(secret.replace(/^whsec_/, ''), 'base64').length < 24) throw new Error('the secret is not set, or too short');
const webhook = new Webhook(secret);

// The raw body: parsing and printing it again would change what was signed.
app.post('/hooks', express.raw({ type: 'application/json' }), (request, response) => {
  const event = webhook.verify(request.body, request.headers); // throws when it is not ours
  // The same event may come twice: store event.id with the work, in one transaction.
  response.sendStatus(204);
});`;

const GATEWAY_SNIPPETS: Readonly<Record<Exclude<Format, 'switchyard'>, string>> = {
  paystack: `import { createHmac, timingSafeEqual } from 'node:crypto';

// \`secret\` is the endpoint's. With an empty key anyone could sign.
if (!secret) throw new Error('the secret is not set');

// The raw body: parsing and printing it again would change what was signed.
app.post('/hooks', express.raw({ type: 'application/json' }), (request, response) => {
  const expected = createHmac('sha512', secret).update(request.body).digest('hex');
  const given = request.get('x-paystack-signature') ?? '';
  if (given.length !== expected.length || !timingSafeEqual(Buffer.from(given), Buffer.from(expected))) return response.sendStatus(401);
  const { event, data } = JSON.parse(request.body); // charge.success, refund.processed, refund.failed
  response.sendStatus(200);
});`,
  flutterwave: `// Without it, a request without the header would pass.
if (!secretHash) throw new Error('the secret hash is not set');

// verif-hash is the secret itself; flutterwave-signature is the HMAC-SHA256 of the body in base64.
app.post('/hooks', express.json(), (request, response) => {
  if (request.get('verif-hash') !== secretHash) return response.sendStatus(401);
  const { event, data } = request.body; // charge.completed: verify data.id before giving value
  response.sendStatus(200);
});`,
};

/** Example code that verifies a webhook's signature. */
export function VerifySnippet({ format = 'switchyard' }: { format?: Format }) {
  if (format !== 'switchyard') {
    return (
      <section
        className="max-w-[860px] mt-10 [&_h2]:mb-1 [&_h2]:text-base [&_h2]:font-semibold"
        aria-label="How to verify a message"
      >
        <h2>How the receiver verifies a message</h2>
        <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
          Messages have {FORMAT_LABELS[format]}'s form and signature, so that code written for it stays. Any 2xx within 15 seconds
          counts as received; 410 disables the endpoint.
        </p>
        <Command text={GATEWAY_SNIPPETS[format]} label="A receiver that verifies messages" />
      </section>
    );
  }
  return (
    <section
      className="max-w-[860px] mt-10 [&_h2]:mb-1 [&_h2]:text-base [&_h2]:font-semibold"
      aria-label="How to verify a message"
    >
      <h2>How the receiver verifies a message</h2>
      <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
        Messages follow <a href="https://www.standardwebhooks.com">Standard Webhooks</a>: <code>webhook-id</code>,{' '}
        <code>webhook-timestamp</code> and <code>webhook-signature</code>, for which there are libraries in most languages. Any
        2xx within 15 seconds counts as received; 410 disables the endpoint.
      </p>
      <Command text={SNIPPET} label="A receiver that verifies messages" />
    </section>
  );
}
