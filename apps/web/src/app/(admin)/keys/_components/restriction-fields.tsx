import * as z from 'zod/mini';
import type { FieldsOf } from '#/forms/bound-fields.tsx';
import { KEY_SCOPES } from './keys-table.tsx';

/** Restrictions of a key, as they are entered. The server has the last word on each network. */
export const restrictionsSchema = {
  scopes: z.array(z.string()),
  /** One network a line, or separated by commas. */
  allowedAddresses: z.pipe(
    z.string(),
    z.transform((text) => text.split(/[\s,]+/).filter((entry) => entry !== '')),
  ),
};

/** The fields that restrict a key. */
export function RestrictionFields({ form }: { form: FieldsOf<{ scopes: string[]; allowedAddresses: string }> }) {
  return (
    <>
      <form.Checkboxes name="scopes" label="Permissions (none selected: everything but routing rules)" choices={KEY_SCOPES} />
      <form.Area
        name="allowedAddresses"
        label="May be used from"
        description="IP addresses or networks, one per line: 203.0.113.7, 2001:db8::/32. Empty for anywhere."
        placeholder="Anywhere"
      />
    </>
  );
}
