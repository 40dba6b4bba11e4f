'use client';

import { ChoiceField, TextField, TickField } from '../../../../components/field/field.tsx';
import { EVENT_LABELS, EVENT_TYPES } from '../../../../copy/webhooks.ts';
import { useScope } from '../../../../scope/use-scope.ts';

/** The fields of an endpoint's form; `all` for every event type. */
export interface EndpointDraft {
  readonly url: string;
  readonly description: string;
  readonly all: boolean;
  readonly types: readonly string[];
}

/** What is wrong with each field, by its name. */
export type Problems = Readonly<Record<string, string>>;

const TYPES = EVENT_TYPES.map((value) => ({ value, label: EVENT_LABELS[value]?.label ?? value }));

/** The settings of an endpoint. */
export function EndpointFields({
  draft,
  problems,
  onChange,
}: {
  draft: EndpointDraft;
  problems: Problems;
  onChange: (draft: EndpointDraft) => void;
}) {
  const { mode } = useScope();
  return (
    <>
      <TextField
        label="Address"
        type="url"
        inputMode="url"
        value={draft.url}
        maxLength={2_000}
        problem={problems.url ?? null}
        placeholder="https://shop.example/hooks"
        hint={mode === 'live' ? 'https, and reachable from the internet.' : 'https or http; in test mode also this machine.'}
        autoFocus
        onChange={(event) => onChange({ ...draft, url: event.currentTarget.value })}
      />
      <TextField
        label="Description"
        value={draft.description}
        maxLength={200}
        problem={problems.description ?? null}
        placeholder="Orders service"
        hint="For people; may be left empty."
        onChange={(event) => onChange({ ...draft, description: event.currentTarget.value })}
      />
      <ChoiceField
        label="Events"
        choices={[
          { value: 'all', label: 'All, and those there will be' },
          { value: 'some', label: 'Only these' },
        ]}
        value={draft.all ? 'all' : 'some'}
        onChange={(value) => onChange({ ...draft, all: value === 'all' })}
      />
      {!draft.all && (
        <TickField
          label="Which events"
          choices={TYPES}
          values={draft.types}
          problem={problems.types ?? null}
          onChange={(types) => onChange({ ...draft, types })}
        />
      )}
    </>
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

/** What the server refused, by field. */
export function refusedBy(problems: readonly { readonly field: string; readonly message: string }[]): Problems {
  return Object.fromEntries(problems.map(({ field, message }) => [field.split('.')[0] ?? field, message]));
}
