import { componentName, isNullable, type Schema, typesOf } from './api-document.ts';
import classes from './field-list.module.css';
import { WithCode } from './with-code.tsx';

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
          <ul className={classes.nested}>
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
    <div className={classes.field}>
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
