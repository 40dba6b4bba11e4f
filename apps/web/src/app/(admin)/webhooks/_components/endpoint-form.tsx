'use client';

import { CheckboxGroup, TextField } from '#/components/field/field.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';
import { EVENT_LABELS, FORMAT_LABELS, FORMAT_TYPES, type Format, formatOf, USUAL_EVENTS } from '#/copy/webhooks.ts';
import { useScope } from '#/scope/use-scope.ts';

/** The fields of an endpoint's form; `all` for every event type. */
export interface EndpointDraft {
  readonly url: string;
  readonly description: string;
  readonly all: boolean;
  readonly types: readonly string[];
  readonly format: Format;
  /** Chosen for a gateway's format; empty to have one made. */
  readonly secret: string;
}

/** Errors by the name of the field. */
export type Problems = Readonly<Record<string, string>>;

const FORMATS = Object.entries(FORMAT_LABELS).map(([value, label]) => ({ value: formatOf(value), label }));

/** The settings of an endpoint; a new one also has a format, which stays. */
export function EndpointFields({
  draft,
  problems,
  isNew = false,
  onChange,
}: {
  draft: EndpointDraft;
  problems: Problems;
  isNew?: boolean;
  onChange: (draft: EndpointDraft) => void;
}) {
  const types = FORMAT_TYPES[draft.format].map((value) => ({ value, label: EVENT_LABELS[value]?.label ?? value }));
  const { mode } = useScope();
  return (
    <>
      <TextField
        label="Address"
        type="url"
        inputMode="url"
        value={draft.url}
        maxLength={2_000}
        error={problems.url ?? null}
        placeholder="https://shop.example/hooks"
        description={
          mode === 'live' ? 'https, and reachable from the internet.' : 'https or http; in test mode also this machine.'
        }
        autoFocus
        onChange={(event) => onChange({ ...draft, url: event.currentTarget.value })}
      />
      <TextField
        label="Description"
        value={draft.description}
        maxLength={200}
        error={problems.description ?? null}
        placeholder="Orders service"
        description="For people; may be left empty."
        onChange={(event) => onChange({ ...draft, description: event.currentTarget.value })}
      />
      {isNew && (
        <RadioGroup
          label="Format"
          choices={FORMATS}
          value={draft.format}
          onChange={(format) => onChange({ ...draft, format, all: true, types: [], secret: '' })}
        />
      )}
      {isNew && draft.format !== 'switchyard' && (
        <SecretField
          format={draft.format}
          value={draft.secret}
          error={problems.secret ?? null}
          onChange={(secret) => onChange({ ...draft, secret })}
        />
      )}
      <RadioGroup
        label="Events"
        choices={[
          { value: 'all', label: USUAL_EVENTS[draft.format] },
          { value: 'some', label: 'Only these' },
        ]}
        value={draft.all ? 'all' : 'some'}
        onChange={(value) => onChange({ ...draft, all: value === 'all' })}
      />
      {!draft.all && (
        <CheckboxGroup
          label="Which events"
          choices={types}
          values={draft.types}
          error={problems.types ?? null}
          onChange={(types) => onChange({ ...draft, types })}
        />
      )}
    </>
  );
}

const VERIFIED_WITH: Readonly<Record<Exclude<Format, 'switchyard'>, string>> = {
  paystack: 'What the code verifies x-paystack-signature with. Stored encrypted; empty to have one made.',
  flutterwave: 'The secret hash that the code compares verif-hash with. Stored encrypted; empty to have one made.',
};

/** The secret of an endpoint of a gateway's format, which the merchant's code already has. */
export function SecretField({
  format,
  value,
  error,
  onChange,
}: {
  format: Exclude<Format, 'switchyard'>;
  value: string;
  error: string | null;
  onChange: (secret: string) => void;
}) {
  return (
    <TextField
      label="Secret"
      type="password"
      value={value}
      maxLength={256}
      error={error}
      description={VERIFIED_WITH[format]}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The problems of a draft found before submission; empty when it can be submitted. */
export function problemsOf(draft: EndpointDraft): Problems {
  return {
    ...(draft.url.trim() === '' && { url: 'must not be empty' }),
    ...(!draft.all && draft.types.length === 0 && { types: 'must name at least one event' }),
  };
}

/** A draft as the server takes it. */
export function settingsOf({ url, description, all, types }: EndpointDraft) {
  return { url: url.trim(), description, types: all ? [] : [...types] };
}

/** The server's errors, by field. */
export function refusedBy(problems: readonly { readonly field: string; readonly message: string }[]): Problems {
  return Object.fromEntries(problems.map(({ field, message }) => [field.split('.')[0] ?? field, message]));
}
