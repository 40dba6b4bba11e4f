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
    <fieldset className="grid gap-3 min-w-0 m-0 p-0 border-0">
      <legend className="p-0 text-base font-semibold">{title}</legend>
      <p className="max-w-[720px] text-ink-quiet text-sm">{lead}</p>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,280px),1fr))] gap-x-6 gap-y-4">
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
