import classes from '../docs.module.css';

/** Introduction: authentication, envelopes and idempotency. */
export function Introduction({ description, base }: { description: string; base: string }) {
  return (
    <section id="introduction" className={classes.operation}>
      <div className={classes.words}>
        <h1 className={classes.title}>Take payments through one address</h1>
        <p className={classes.text}>{description}</p>
        <dl className={classes.facts}>
          <div>
            <dt>Base address</dt>
            <dd>
              <code>{base}</code>
            </dd>
          </div>
          <div>
            <dt>Who may call</dt>
            <dd>
              Your server, with <code>Authorization: Bearer sk_…</code>. A key that begins with <code>sk_test_</code> reaches test
              accounts only; one that begins with <code>sk_live_</code> moves money. Keys never belong in a browser or an app.
            </dd>
          </div>
          <div>
            <dt>Answers</dt>
            <dd>
              JSON in an envelope: <code>status</code>, <code>statusCode</code>, <code>message</code>, <code>data</code>. A
              refusal has <code>success: false</code> in place of <code>status</code>, and lists every problem in{' '}
              <code>data.errors</code>.
            </dd>
          </div>
          <div>
            <dt>Trying again</dt>
            <dd>
              Send an <code>Idempotency-Key</code> with what you may have to repeat. After 429 and 503 wait as long as{' '}
              <code>Retry-After</code> says.
            </dd>
          </div>
          <div>
            <dt>For machines</dt>
            <dd>
              <a href="/v1/openapi.json">/v1/openapi.json</a>, OpenAPI 3.1
            </dd>
          </div>
        </dl>
      </div>
    </section>
  );
}
