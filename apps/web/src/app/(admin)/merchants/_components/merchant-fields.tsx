import { merchantSettings } from '@switchyard/api/entered-fields';
import * as z from 'zod/mini';
import type { FieldsOf } from '#/forms/bound-fields.tsx';

const { name, defaultRedirectUrl, sessionMinutes, timeZone } = merchantSettings;

/** The settings of a merchant, as they are entered and as the server takes them. */
export const merchantSchema = z.object({
  name,
  defaultRedirectUrl: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => (text.trim() === '' ? null : text.trim())),
    ),
    defaultRedirectUrl,
  ),
  sessionMinutes: z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) => (text.trim() === '' ? Number.NaN : Number(text))),
    ),
    sessionMinutes,
  ),
  timeZone,
  refundDuplicates: z.pipe(
    z.enum(['staff', 'itself']),
    z.transform((who) => who === 'itself'),
  ),
});

/** The settings of a merchant as they are entered. */
export type EnteredMerchant = z.input<typeof merchantSchema>;

/** The form of a new merchant: sessions of an hour, duplicates left to staff. */
export const NEW_MERCHANT: EnteredMerchant = {
  name: '',
  defaultRedirectUrl: '',
  sessionMinutes: '60',
  timeZone: 'Africa/Lagos',
  refundDuplicates: 'staff',
};

const DUPLICATES = [
  { value: 'staff', label: 'Wait for staff', description: 'They are listed under Refunds, where one click refunds them.' },
  { value: 'itself', label: 'Refund automatically', description: 'A full refund is requested immediately.' },
] as const;

/** The fields of a merchant, new or known. */
export function MerchantFields({ form }: { form: FieldsOf<EnteredMerchant> }) {
  return (
    <>
      <form.Text name="name" label="Name" maxLength={200} placeholder="Balogun Books" />
      <form.Text
        name="defaultRedirectUrl"
        label="Default redirect address"
        type="url"
        inputMode="url"
        maxLength={2_000}
        placeholder="https://shop.example/thanks"
        description="Where customers go after payment when the payment names no address of its own. Empty: our own result page."
      />
      <form.Number
        name="sessionMinutes"
        label="Session length"
        unit="minutes"
        min={5}
        max={1_440}
        description="How long a customer may take, 5 to 1440. After it the payment fails unless the gateway proves that it was paid."
      />
      <form.Text
        name="timeZone"
        label="Time zone"
        maxLength={64}
        placeholder="Africa/Lagos"
        description="In which rules compare days and hours."
      />
      <form.Radio name="refundDuplicates" label="Duplicate payments" choices={DUPLICATES} />
    </>
  );
}
