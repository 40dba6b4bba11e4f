import Link from 'next/link';
import { TOPICS } from './_content/topics.ts';
import { docsData } from './docs-data.ts';
import classes from './overview.module.css';

/** Where to begin. */
export default function DocsOverview() {
  const { base } = docsData();
  const rest = TOPICS.filter(({ slug }) => slug !== 'quickstart');
  return (
    <div className={classes.overview}>
      <h1 className={classes.title}>Take payments through one API</h1>
      <p className={classes.lead}>
        One call starts a payment. Switchyard chooses the gateway that is most likely to take it, falls back to another when it
        does not answer, and sends your server an event when the money has arrived.
      </p>
      <div className={classes.begin}>
        <Link href="/docs/quickstart" className={classes.primary}>
          Quickstart
        </Link>
        <Link href="/docs/api" className={classes.secondary}>
          API reference
        </Link>
      </div>
      <dl className={classes.facts}>
        <div>
          <dt>Base address</dt>
          <dd>
            <code>{base}</code>
          </dd>
        </div>
        <div>
          <dt>Authentication</dt>
          <dd>
            <code>Authorization: Bearer sk_test_…</code>, from your server
          </dd>
        </div>
        <div>
          <dt>Format</dt>
          <dd>JSON; amounts in whole naira; times in ISO 8601, UTC</dd>
        </div>
        <div>
          <dt>For machines</dt>
          <dd>
            <a href="/v1/openapi.json">OpenAPI 3.1</a>
          </dd>
        </div>
      </dl>
      <ul className={classes.cards}>
        {rest.map(({ slug, label, lead }) => (
          <li key={slug}>
            <Link href={`/docs/${slug}`} className={classes.card}>
              <span className={classes.cardTitle}>{label}</span>
              <span className={classes.cardText}>{lead}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
