'use client';

import * as z from 'zod/mini';
import { EVENT_LABELS, FORMAT_LABELS, FORMAT_TYPES, type Format, formatOf, USUAL_EVENTS } from '#/copy/webhooks.ts';
import type { FieldsOf } from '#/forms/bound-fields.tsx';
import { useScope } from '#/scope/use-scope.ts';

/** The settings of an endpoint, as they are entered; which addresses may be called, the server knows. */
const entered = z.object({
  url: z.string().check(z.trim(), z.minLength(1, 'must not be empty')),
  description: z.string(),
  events: z.enum(['usual', 'some']),
  types: z.array(z.string()),
});

/** The settings of an endpoint. */
export const endpointSchema = z.pipe(
  entered.check(z.refine(namesSome, { path: ['types'], error: 'must name at least one event' })),
  z.transform(settingsOf),
);

/** The settings of a new endpoint, which also has a format for good. */
export const newEndpointSchema = z.pipe(
  z
    .extend(entered, {
      merchantId: z.pipe(z.nullable(z.string()), z.string('must be chosen')),
      format: z.enum(['switchyard', 'paystack', 'flutterwave']),
      /** Chosen for a gateway's format; empty to have one made. */
      secret: z.string(),
    })
    .check(z.refine(namesSome, { path: ['types'], error: 'must name at least one event' })),
  z.transform(({ merchantId, format, secret, ...settings }) => ({
    merchantId,
    ...settingsOf(settings),
    format,
    secret: format === 'switchyard' || secret === '' ? null : secret,
  })),
);

type Entered = z.output<typeof entered>;

function namesSome({ events, types }: Pick<Entered, 'events' | 'types'>): boolean {
  return events === 'usual' || types.length > 0;
}

/** The entered settings, as the server takes them: no types for the usual ones. */
export function settingsOf({ url, description, events, types }: Entered) {
  return { url: url.trim(), description, types: events === 'usual' ? [] : types };
}

const FORMATS = Object.entries(FORMAT_LABELS).map(([value, label]) => ({ value: formatOf(value), label }));

/** The address of an endpoint, and its description. */
export function AddressFields({ form }: { form: FieldsOf<Pick<Entered, 'url' | 'description'>> }) {
  const { mode } = useScope();
  return (
    <>
      <form.Text
        name="url"
        label="Address"
        type="url"
        inputMode="url"
        maxLength={2_000}
        placeholder="https://shop.example/hooks"
        description={
          mode === 'live' ? 'https, and reachable from the internet.' : 'https or http; in test mode also this machine.'
        }
        autoFocus
      />
      <form.Text
        name="description"
        label="Description"
        maxLength={200}
        placeholder="Orders service"
        description="For people; may be left empty."
      />
    </>
  );
}

/** The format of a new endpoint. */
export function FormatField({ form, onChange }: { form: FieldsOf<{ format: Format }>; onChange: () => void }) {
  return <form.Radio name="format" label="Format" choices={FORMATS} onChange={onChange} />;
}

/** The events of an endpoint of a format. */
export function EventFields({
  form,
  format,
  events,
}: {
  form: FieldsOf<Pick<Entered, 'events' | 'types'>>;
  format: Format;
  events: Entered['events'];
}) {
  const types = FORMAT_TYPES[format].map((value) => ({ value, label: EVENT_LABELS[value]?.label ?? value }));
  return (
    <>
      <form.Radio
        name="events"
        label="Events"
        choices={[
          { value: 'usual', label: USUAL_EVENTS[format] },
          { value: 'some', label: 'Only these' },
        ]}
      />
      {events === 'some' && <form.Checkboxes name="types" label="Which events" choices={types} />}
    </>
  );
}

const VERIFIED_WITH: Readonly<Record<Exclude<Format, 'switchyard'>, string>> = {
  paystack: 'What the code verifies x-paystack-signature with. Stored encrypted; empty to have one made.',
  flutterwave: 'The secret hash that the code compares verif-hash with. Stored encrypted; empty to have one made.',
};

/** The secret of an endpoint of a gateway's format, which the merchant's code already has. */
export function SecretField({ form, format }: { form: FieldsOf<{ secret: string }>; format: Exclude<Format, 'switchyard'> }) {
  return <form.Text name="secret" label="Secret" type="password" maxLength={256} description={VERIFIED_WITH[format]} />;
}
