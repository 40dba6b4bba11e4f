import type { FieldsOf } from '#/forms/bound-fields.tsx';

/** The merchant's name, typed before a change of live routing. */
export function NameField({ form, merchant }: { form: FieldsOf<{ merchantName: string }>; merchant: string }) {
  return <form.Text name="merchantName" label={`To confirm, enter the merchant's name: ${merchant}`} />;
}

/** True if a typed name is the merchant's, whatever the case and the spaces around it. */
export function isNameOf(typed: string, merchant: string): boolean {
  return typed.trim().toLowerCase() === merchant.trim().toLowerCase();
}
