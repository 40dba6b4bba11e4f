import { NumberField } from '#/components/number-field/number-field.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { type ThresholdField, type ThresholdGroup, type Thresholds, unitOf, writeThreshold } from './threshold-fields.ts';
import classes from './thresholds-page.module.css';
import type { ThresholdsDraft } from './use-thresholds-form.ts';

const YES_OR_NO = [
  { value: 'yes', label: 'Yes' },
  { value: 'no', label: 'No' },
] as const;

interface GroupProps {
  readonly draft: ThresholdsDraft;
  readonly defaults: Thresholds;
  readonly onChange: ThresholdsDraft['change'];
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

function Field({ field, draft, defaults, onChange }: GroupProps & { field: ThresholdField }) {
  const { name, kind, label } = field;
  const text = draft.texts[name];
  if (kind === 'switch') {
    return (
      <RadioGroup
        label={label}
        choices={YES_OR_NO}
        value={text === 'yes' ? 'yes' : 'no'}
        onChange={(value) => onChange({ [name]: value })}
      />
    );
  }
  const standard = writeThreshold(defaults[name], kind);
  return (
    <NumberField
      label={label}
      {...(unitOf(kind) !== '' && { unit: unitOf(kind) })}
      min={0}
      decimals={kind === 'count' ? 0 : 3}
      value={text}
      error={draft.problemOf(field)}
      description={text === standard ? 'Default' : `Default: ${standard}`}
      onChange={(next) => onChange({ [name]: next })}
      onBlur={() => draft.leave(name)}
    />
  );
}
