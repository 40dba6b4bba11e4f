import Link from 'next/link';
import { CallOf, EventBody, RecordedAnswer, WithCode } from '../_components/code/code-block.tsx';
import {
  componentName,
  docsData,
  type EventDescription,
  isNullable,
  type Operation,
  type Schema,
  typesOf,
} from './api-document.ts';

type Schemas = Readonly<Record<string, Schema>>;

/** One operation: its parameters and responses beside a recorded call. */
export function OperationView({ operation, schemas }: { operation: Operation; schemas: Schemas }) {
  const { operationId, summary, method, path, description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const recorded = docsData().examples.answers.find((answer) => answer.operationId === operationId && answer.status === 200);
  return (
    <section
      id={operationId}
      className="grid grid-cols-1 gap-x-14 gap-y-8 py-10 border-b border-line scroll-mt-14 min-[1320px]:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]"
    >
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
        <dl className="lined-facts [--columns:44px_minmax(0,1fr)]">
          {Object.entries(responses).map(([status, response]) => (
            <div key={status}>
              <dt className={`tabular-nums font-semibold ${status.startsWith('2') ? 'text-good-ink' : ''}`}>
                {status.startsWith('2') ? status : <StatusLink status={status} />}
              </dt>
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

interface FieldListProps {
  readonly schema: Schema;
  readonly label: string;
  /** Remarks beside a field's type, by field name. */
  readonly notes?: Readonly<Record<string, string>>;
}

/** The fields of an object: name, type, whether it must be there, its rules, and what it means. */
export function FieldList({ schema, label, notes = {} }: FieldListProps) {
  return (
    <ul className="border-t border-line" aria-label={label}>
      <Fields schema={schema} prefix="" notes={notes} />
    </ul>
  );
}

function Fields({ schema, prefix, notes }: { schema: Schema; prefix: string; notes: Readonly<Record<string, string>> }) {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const path = `${prefix}${name}`;
    const nested = field.properties === undefined ? field.items : field;
    return (
      <li key={path}>
        <Field path={path} field={field} required={schema.required?.includes(name) ?? false} note={notes[name]} />
        {nested?.properties !== undefined && (
          <ul className="pl-5">
            <Fields schema={nested} prefix={`${path}${field.properties === undefined ? '[]' : ''}.`} notes={{}} />
          </ul>
        )}
      </li>
    );
  });
}

function Field({ path, field, required, note }: { path: string; field: Schema; required: boolean; note: string | undefined }) {
  const rules = rulesOf(field);
  return (
    <div className="py-3 border-b border-line">
      <p className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <code className="text-xs font-semibold wrap-anywhere">{path}</code>
        <span className="text-ink-faint text-xs">
          <TypeName schema={field} />
          {isNullable(field) && ' or null'}
          {note !== undefined && `, ${note}`}
        </span>
        {required && <span className="text-wait-ink text-xs">required</span>}
      </p>
      {(field.description !== undefined || rules !== '') && (
        <p className="mt-1 text-ink-quiet text-sm wrap-anywhere">
          <WithCode text={field.description ?? ''} /> {rules}
        </p>
      )}
    </div>
  );
}

function TypeName({ schema }: { schema: Schema }) {
  const named = componentName(schema);
  if (named !== null) return <a href={`#object-${named}`}>{named}</a>;
  const type = typesOf(schema).join(' or ') || 'any';
  if (type !== 'array' || schema.items === undefined) return schema.format === undefined ? type : `${type}, ${schema.format}`;
  return (
    <>
      list of <TypeName schema={schema.items} />
    </>
  );
}

/** The rules a value is held to, in words. */
function rulesOf({ enum: values, 'x-extensible-enum': words, minimum, maximum, minLength, maxLength, type }: Schema): string {
  const rules: string[] = [];
  // Null is named beside the type.
  const named = values?.filter((value) => value !== null);
  if (named !== undefined && type !== 'boolean') rules.push(`One of ${named.map(String).join(', ')}.`);
  if (words !== undefined) rules.push(`At present one of ${words.join(', ')}.`);
  if (minimum !== undefined && maximum !== undefined) rules.push(`From ${group(minimum)} to ${group(maximum)}.`);
  else if (minimum !== undefined) rules.push(`At least ${group(minimum)}.`);
  else if (maximum !== undefined) rules.push(`At most ${group(maximum)}.`);
  if (maxLength !== undefined) rules.push(`${minLength ? `${minLength} to` : 'At most'} ${group(maxLength)} characters.`);
  return rules.join(' ');
}

function group(number: number): string {
  return number.toLocaleString('en');
}

/** The types of events that webhook endpoints receive, with a body that was sent. */
export function EventList({ events }: { events: readonly EventDescription[] }) {
  const [first] = events;
  return (
    <section
      id="events"
      className="grid grid-cols-1 gap-x-14 gap-y-8 py-10 border-b border-line scroll-mt-14 min-[1320px]:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]"
    >
      <div className="min-w-0">
        <h2 className="text-2xl font-semibold leading-[1.25] tracking-[-0.015em]">Webhook events</h2>
        <p className="max-w-[640px] mt-3 text-ink-quiet text-base leading-[1.6]">
          What <Link href="/docs/webhooks">webhook endpoints</Link> receive when something happens to a payment, and what{' '}
          <a href="#listEvents">List events</a> answers.
        </p>
        <dl className="lined-facts [--columns:minmax(0,1fr)] min-[640px]:[--columns:200px_minmax(0,1fr)] max-w-[760px] mt-6 [&_code]:text-xs [&_code]:font-semibold">
          {events.map(({ type, description }) => (
            <div key={type}>
              <dt>
                <Link href={`/docs/webhooks#${type}`}>
                  <code>{type}</code>
                </Link>
              </dt>
              <dd>
                <WithCode text={description} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {first !== undefined && (
        <div className="grid grid-cols-1 gap-4 min-w-0 min-[1320px]:sticky min-[1320px]:top-19 min-[1320px]:self-start">
          <EventBody type={first.type} />
        </div>
      )}
    </section>
  );
}
