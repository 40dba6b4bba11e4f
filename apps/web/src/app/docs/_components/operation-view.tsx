import { Command } from '../../../components/first-payment.tsx';
import { JsonView } from '../../../components/json-view.tsx';
import { componentName, type Operation, type Schema } from '../api-document.ts';
import classes from '../docs.module.css';
import { exampleOf } from '../example-of.ts';
import { FieldList } from './field-list.tsx';

type Schemas = Readonly<Record<string, Schema>>;

/** One operation: its parameters and responses beside an example call. */
export function OperationView({ operation, schemas, base }: { operation: Operation; schemas: Schemas; base: string }) {
  const { operationId, summary, method, path, description, parameters, requestBody, responses } = operation;
  const body = requestBody?.content['application/json']?.schema;
  const success = responses['200']?.content?.['application/json']?.schema;
  return (
    <section id={operationId} className={classes.operation}>
      <div className={classes.words}>
        <h2 className={classes.heading}>{summary}</h2>
        <p className={classes.path}>
          <span className={classes.method}>{method.toUpperCase()}</span> <code>{path}</code>
        </p>
        {description !== undefined && <p className={classes.text}>{description}</p>}
        {parameters.length > 0 && (
          <>
            <h3 className={classes.subheading}>Parameters</h3>
            <FieldList label={`Parameters of ${summary}`} schema={asObject(parameters)} notes={placesOf(parameters)} />
          </>
        )}
        {body !== undefined && (
          <>
            <h3 className={classes.subheading}>Body{requestBody?.required === false && ', optional'}</h3>
            <FieldList label={`Body of ${summary}`} schema={resolve(body, schemas)} />
          </>
        )}
        <h3 className={classes.subheading}>Answers</h3>
        <dl className={classes.actions}>
          {Object.entries(responses).map(([status, response]) => (
            <div key={status}>
              <dt data-good={status.startsWith('2')}>{status}</dt>
              <dd>
                {response.description} <AnswerLink schema={response.content?.['application/json']?.schema} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <div className={classes.examples}>
        <h3 className={classes.exampleTitle}>Call</h3>
        <Command text={curl(operation, schemas, base)} label={`A call of ${summary}`} />
        {success !== undefined && (
          <>
            <h3 className={classes.exampleTitle}>Answer</h3>
            <JsonView text={JSON.stringify(exampleOf(success, schemas))} label={`An answer of ${summary}`} />
          </>
        )}
      </div>
    </section>
  );
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

function curl({ method, path, parameters, requestBody }: Operation, schemas: Schemas, base: string): string {
  const filled = parameters.reduce(
    (address, { name, schema }) => address.replace(`{${name}}`, String(exampleOf(schema, schemas))),
    path,
  );
  const body = requestBody?.required === true ? requestBody.content['application/json'] : undefined;
  const verb = method === 'get' || body !== undefined ? '' : `-X ${method.toUpperCase()} `;
  const lines = [`curl ${verb}${base}${filled}`, `-H "Authorization: Bearer sk_test_…"`];
  if (body !== undefined) {
    lines.push(
      `-H "Content-Type: application/json"`,
      `-d '${JSON.stringify(body.example ?? exampleOf(body.schema, schemas), null, 2)}'`,
    );
  }
  return lines.join(' \\\n  ');
}
