import type { FieldsOf } from '#/forms/bound-fields.tsx';
import type { FormState } from '#/forms/use-form.ts';
import {
  type ThresholdField,
  type ThresholdGroup,
  type Thresholds,
  type ThresholdTexts,
  unitOf,
  writeThreshold,
} from './threshold-fields.ts';
import classes from './thresholds-page.module.css';

const YES_OR_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const;

interface GroupProps {
  readonly form: Pick<FormState<ThresholdTexts>, keyof FieldsOf<ThresholdTexts> | 'entered'>;
  readonly defaults: Thresholds;
}

/** The thresholds under one heading, each with its default. */
export function ThresholdGroupFields({ group: { title, lead, fields }, ...props }: GroupProps & { group: ThresholdGroup }) {
  return (
    <fieldset className={classes.group}>
      <legend className={classes.title}>{title}</legend>
      <p className={classes.lead}>{lead}</p>
      <div className={classes.fields}>
        {fields.map((field) => (
          <Field key={field.name} field={field} {...props} />
        ))}
      </div>
    </fieldset>
  );
}

function Field({ field: { name, kind, label }, form, defaults }: GroupProps & { field: ThresholdField }) {
  if (kind === 'switch') return <form.Radio name={name} label={label} choices={YES_OR_NO} />;
  const standard = writeThreshold(defaults[name], kind);
  return (
    <form.Number
      name={name}
      label={label}
      {...(unitOf(kind) !== '' && { unit: unitOf(kind) })}
      min={0}
      decimals={kind === 'count' ? 0 : 3}
      description={form.entered[name] === standard ? 'Default' : `Default: ${standard}`}
    />
  );
}
