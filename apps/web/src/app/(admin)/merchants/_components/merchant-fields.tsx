'use client';

import { TextField } from '#/components/field/field.tsx';
import { NumberField } from '#/components/number-field/number-field.tsx';
import { RadioGroup } from '#/components/radio-group/radio-group.tsx';

/** The settings of a merchant as typed. */
export interface MerchantDraft {
  readonly name: string;
  readonly defaultRedirectUrl: string;
  readonly sessionMinutes: string;
  readonly refundDuplicates: boolean;
}

/** Errors by the name of the field. */
export type Problems = Readonly<Record<string, string>>;

/** The form of a new merchant: sessions of an hour, duplicates left to staff. */
export const NEW_MERCHANT: MerchantDraft = { name: '', defaultRedirectUrl: '', sessionMinutes: '60', refundDuplicates: false };

const DUPLICATES = [
  { value: 'staff', label: 'Wait for staff', description: 'They are listed under Refunds, where one click refunds them.' },
  { value: 'itself', label: 'Refund automatically', description: 'A full refund is requested immediately.' },
] as const;

/** The fields, each with its problem beside it. */
export function MerchantFields({
  draft,
  problems,
  disabled = false,
  onChange,
  onLeave,
}: {
  draft: MerchantDraft;
  problems: Problems;
  disabled?: boolean;
  onChange: (changes: Partial<MerchantDraft>) => void;
  onLeave: (field: keyof MerchantDraft) => void;
}) {
  return (
    <>
      <TextField
        label="Name"
        value={draft.name}
        maxLength={200}
        disabled={disabled}
        error={problems.name ?? null}
        placeholder="Balogun Books"
        onChange={(event) => onChange({ name: event.currentTarget.value })}
        onBlur={() => onLeave('name')}
      />
      <TextField
        label="Default redirect address"
        type="url"
        inputMode="url"
        value={draft.defaultRedirectUrl}
        maxLength={2_000}
        disabled={disabled}
        error={problems.defaultRedirectUrl ?? null}
        placeholder="https://shop.example/thanks"
        description="Where customers go after payment when the payment names no address of its own. Empty: our own result page."
        onChange={(event) => onChange({ defaultRedirectUrl: event.currentTarget.value })}
        onBlur={() => onLeave('defaultRedirectUrl')}
      />
      <NumberField
        label="Session length"
        unit="minutes"
        min={5}
        max={1_440}
        value={draft.sessionMinutes}
        disabled={disabled}
        error={problems.sessionMinutes ?? null}
        description="How long a customer may take, 5 to 1440. After it the payment fails unless the gateway proves that it was paid."
        onChange={(sessionMinutes) => onChange({ sessionMinutes })}
        onBlur={() => onLeave('sessionMinutes')}
      />
      <fieldset disabled={disabled} style={{ display: 'contents' }}>
        <RadioGroup
          label="Duplicate payments"
          choices={DUPLICATES}
          value={draft.refundDuplicates ? 'itself' : 'staff'}
          onChange={(value) => onChange({ refundDuplicates: value === 'itself' })}
        />
      </fieldset>
    </>
  );
}

/** The problems of a draft found before submission; empty when it can be submitted. */
export function problemsOf({ name, defaultRedirectUrl, sessionMinutes }: MerchantDraft): Problems {
  const minutes = Number(sessionMinutes.trim());
  const url = defaultRedirectUrl.trim();
  return {
    ...(name.trim() === '' && { name: 'must not be empty' }),
    ...(url !== '' &&
      !/^https:\/\/[^\s@]+$/.test(url) && { defaultRedirectUrl: 'must be an https:// address without a user name' }),
    ...((sessionMinutes.trim() === '' || !Number.isInteger(minutes) || minutes < 5 || minutes > 1_440) && {
      sessionMinutes: 'must be a whole number from 5 to 1440',
    }),
  };
}

/** A draft as the server takes it. */
export function settingsOf({ name, defaultRedirectUrl, sessionMinutes, refundDuplicates }: MerchantDraft) {
  const url = defaultRedirectUrl.trim();
  return { name, defaultRedirectUrl: url === '' ? null : url, sessionMinutes: Number(sessionMinutes.trim()), refundDuplicates };
}
