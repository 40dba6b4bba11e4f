import type { Metadata } from 'next';
import Link from 'next/link';
import { SchemeSwitch } from '../../app-shell/scheme-switch.tsx';
import { Mark } from '../../components/mark.tsx';
import { describeRest } from '../../server/native/rest.ts';
import { publicUrl } from '../../server/public-url.ts';
import { EventList } from './_components/event-list.tsx';
import { FieldList } from './_components/field-list.tsx';
import { Introduction } from './_components/introduction.tsx';
import { OperationView } from './_components/operation-view.tsx';
import { readApiDocument } from './api-document.ts';
import classes from './docs.module.css';

export const metadata: Metadata = { title: 'API reference' };

/** The reference of the REST API, made from the same description that is served at `/v1/openapi.json`. */
export default function DocsPage() {
  const base = publicUrl();
  const document = readApiDocument(describeRest(base));
  const objects = Object.entries(document.schemas).filter(([name]) => !/Request$/.test(name));
  return (
    <div className={classes.page}>
      <header className={classes.bar}>
        <Link href="/" className={classes.brand}>
          <Mark />
          Switchyard
        </Link>
        <span className={classes.description}>API reference {document.version}</span>
        <SchemeSwitch />
      </header>
      <nav className={classes.nav} aria-label="On this page">
        <a href="#introduction">Introduction</a>
        <p className={classes.navTitle}>Operations</p>
        {document.operations.map(({ operationId, summary }) => (
          <a key={operationId} href={`#${operationId}`}>
            {summary}
          </a>
        ))}
        <p className={classes.navTitle}>Webhooks</p>
        <a href="#events">Events</a>
        <p className={classes.navTitle}>Objects</p>
        {objects.map(([name]) => (
          <a key={name} href={`#object-${name}`}>
            {name}
          </a>
        ))}
      </nav>
      <main className={classes.main}>
        <Introduction description={document.description} base={base} />
        {document.operations.map((operation) => (
          <OperationView key={operation.operationId} operation={operation} schemas={document.schemas} base={base} />
        ))}
        <EventList events={document.events} schemas={document.schemas} />
        <section className={classes.objects}>
          <h2 className={classes.heading}>Objects</h2>
          {objects.map(([name, schema]) => (
            <section key={name} id={`object-${name}`} className={classes.object}>
              <h3 className={classes.subheading}>{name}</h3>
              {schema.description !== undefined && <p className={classes.text}>{schema.description}</p>}
              <FieldList schema={schema} label={`Fields of ${name}`} />
            </section>
          ))}
        </section>
      </main>
    </div>
  );
}
