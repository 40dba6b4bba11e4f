import Link from 'next/link';
import { CallOf } from '../_components/code/call-of.tsx';
import { RecordedAnswer } from '../_components/code/recorded.tsx';
import { docsData } from '../docs-data.ts';
import { componentName, type Operation, type Schema } from './api-document.ts';
import { FieldList } from './field-list.tsx';
import classes from './reference.module.css';
import { WithCode } from './with-code.tsx';

type Schemas = Readonly<Record<string, Schema>>;

/** One operation: its parameters and responses beside a recorded call. */
export function OperationView({ operation, schemas }: { operation: Operation; schemas: Schemas }) {
  const { operationId, summary, method, path, description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const recorded = docsData().examples.answers.find((answer) => answer.operationId === operationId && answer.status === 200);
  return (
    <section id={operationId} className={classes.operation}>
      <div className="min-w-0">
        <h2 className="text-2xl font-semibold leading-[1.25] tracking-[-0.015em]">{summary}</h2>
        <p className="mt-2.5 text-sm wrap-anywhere">
          <span className="inline-block mr-1.5 py-0.5 px-1.75 rounded-sm bg-accent-soft text-accent-ink text-xs font-semibold">
            {method.toUpperCase()}
          </span>{' '}
          <code>{path}</code>
        </p>
        {description !== undefined && (
          <p className="max-w-[640px] mt-3 text-ink-quiet text-base leading-[1.6]">
            <WithCode text={description} />
          </p>
        )}
        {parameters.length > 0 && (
          <>
            <h3 className="mt-7 mb-2.5 text-lg font-semibold">Parameters</h3>
            <FieldList label={`Parameters of ${summary}`} schema={asObject(parameters)} notes={placesOf(parameters)} />
          </>
        )}
        {body !== undefined && (
          <>
            <h3 className="mt-7 mb-2.5 text-lg font-semibold">Body{requestBody?.required === false && ', optional'}</h3>
            <FieldList label={`Body of ${summary}`} schema={resolve(body, schemas)} />
          </>
        )}
        <h3 className="mt-7 mb-2.5 text-lg font-semibold">Responses</h3>
        <dl className={classes.actions}>
          {Object.entries(responses).map(([status, response]) => (
            <div key={status}>
              <dt data-good={status.startsWith('2')}>{status.startsWith('2') ? status : <StatusLink status={status} />}</dt>
              <dd>
                <WithCode text={response.description} /> <AnswerLink schema={response.content?.['application/json']?.schema} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {recorded !== undefined && (
        <div className="grid grid-cols-1 gap-4 min-w-0 min-[1320px]:sticky min-[1320px]:top-19 min-[1320px]:self-start">
          <CallOf name={recorded.name} label={`Call: ${summary}`} />
          <RecordedAnswer name={recorded.name} label={`Response: ${summary}`} />
        </div>
      )}
    </section>
  );
}

/** Errors have a page of their own. */
function StatusLink({ status }: { status: string }) {
  const failure = docsData().examples.answers.find(
    (answer) => String(answer.status) === status && answer.failure !== null,
  )?.failure;
  return <Link href={`/docs/errors#${failure ?? 'each'}`}>{status}</Link>;
}

/** Where the object is described that an answer carries as its `data`, or is. */
function AnswerLink({ schema }: { schema: Schema | undefined }) {
  const name = schema === undefined ? null : (componentName(schema) ?? componentName(schema.properties?.data ?? {}));
  return name === null || name === 'Failure' ? null : <a href={`#object-${name}`}>{name}</a>;
}

function resolve(schema: Schema, schemas: Schemas): Schema {
  const name = componentName(schema);
  return (name === null ? undefined : schemas[name]) ?? schema;
}

function asObject(parameters: Operation['parameters']): Schema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
}

function placesOf(parameters: Operation['parameters']): Readonly<Record<string, string>> {
  return Object.fromEntries(parameters.map((parameter) => [parameter.name, `in the ${parameter.in}`]));
}
