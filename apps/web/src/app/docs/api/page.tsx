import type { Metadata } from 'next';
import { EventList } from '../_reference/event-list.tsx';
import { FieldList } from '../_reference/field-list.tsx';
import { OperationView } from '../_reference/operation-view.tsx';
import classes from '../_reference/reference.module.css';
import { WithCode } from '../_reference/with-code.tsx';
import { docsData } from '../docs-data.ts';

export const metadata: Metadata = { title: 'API reference' };

/** The reference of the REST API, made from the same description that is served at `/v1/openapi.json`. */
export default function ReferencePage() {
  const { api, base } = docsData();
  const objects = Object.entries(api.schemas).filter(([name]) => !/Request$/.test(name));
  return (
    <div className={classes.reference}>
      <section className={classes.intro}>
        <h1 className={classes.title}>API reference</h1>
        <p className={classes.text}>
          Version {api.version}, at <code>{base}</code>. Made from the <a href="/v1/openapi.json">OpenAPI document</a>, with
          answers that the sandbox gave.
        </p>
      </section>
      {api.operations.map((operation) => (
        <OperationView key={operation.operationId} operation={operation} schemas={api.schemas} />
      ))}
      <EventList events={api.events} />
      <section id="objects" className={classes.objects}>
        <h2 className={classes.heading}>Objects</h2>
        {objects.map(([name, schema]) => (
          <section key={name} id={`object-${name}`} className={classes.object}>
            <h3 className={classes.subheading}>{name}</h3>
            {schema.description !== undefined && (
              <p className={classes.text}>
                <WithCode text={schema.description} />
              </p>
            )}
            <FieldList schema={schema} label={`Fields of ${name}`} />
          </section>
        ))}
      </section>
    </div>
  );
}
