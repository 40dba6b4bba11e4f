import { Command } from '../../../../components/first-payment.tsx';
import classes from './webhooks-page.module.css';

const SNIPPET = `import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.SWITCHYARD_WEBHOOK_SECRET); // whsec_…

// The raw body: parsing and printing it again would change what was signed.
app.post('/hooks', express.raw({ type: 'application/json' }), (request, response) => {
  const event = webhook.verify(request.body, request.headers); // throws when it is not ours
  // The same event may come twice: act on each event.id once.
  response.sendStatus(204);
});`;

/** Example code that verifies a webhook's signature. */
export function VerifySnippet() {
  return (
    <section className={classes.snippet} aria-label="How to verify a message">
      <h2>How the receiver verifies a message</h2>
      <p className={classes.lead}>
        Messages follow <a href="https://www.standardwebhooks.com">Standard Webhooks</a>: <code>webhook-id</code>,{' '}
        <code>webhook-timestamp</code> and <code>webhook-signature</code>, for which there are libraries in most languages. Any
        2xx within 15 seconds counts as received; 410 switches the endpoint off.
      </p>
      <Command text={SNIPPET} label="A receiver that verifies messages" />
    </section>
  );
}
