import type { Metadata } from 'next';
import { WithCode } from '../_components/code/code-block.tsx';
import { docsData } from '../_reference/api-document.ts';
import { EventList, FieldList, OperationView } from '../_reference/reference.tsx';

export const metadata: Metadata = { title: 'API reference' };

/** The reference of the REST API, made from the same description that is served at `/v1/openapi.json`. */
export default function ReferencePage() {
  const { api, base } = docsData();
  const objects = Object.entries(api.schemas).filter(([name]) => !/Request$/.test(name));
  return (
    <div className="max-w-[1320px] mx-auto pb-24">
      <section className="pt-9 pb-2">
        <h1 className="text-[28px] font-[650] leading-[1.2] tracking-[-0.02em]">API reference</h1>
        <p className="max-w-[640px] mt-3 text-ink-quiet text-base leading-[1.6]">
          Version {api.version}, at <code>{base}</code>. Made from the <a href="/v1/openapi.json">OpenAPI document</a>, with
          answers that the sandbox gave.
        </p>
      </section>
      {api.operations.map((operation) => (
        <OperationView key={operation.operationId} operation={operation} schemas={api.schemas} />
      ))}
      <EventList events={api.events} />
      <section id="objects" className="max-w-[760px] py-10">
        <h2 className="text-2xl font-semibold leading-[1.25] tracking-[-0.015em]">Objects</h2>
        {objects.map(([name, schema]) => (
          <section key={name} id={`object-${name}`} className="[scroll-margin-top:56px]">
            <h3 className="mt-7 mb-2.5 text-lg font-semibold">{name}</h3>
            {schema.description !== undefined && (
              <p className="max-w-[640px] mt-3 text-ink-quiet text-base leading-[1.6]">
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
