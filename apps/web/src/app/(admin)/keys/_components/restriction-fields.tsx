'use client';

import { AreaField, CheckboxGroup } from '#/components/field/field.tsx';
import { KEY_SCOPES, type KeyScope } from './key-scopes.ts';

/** Scopes and addresses of a key, as entered. */
export interface EnteredRestrictions {
  readonly scopes: readonly KeyScope[];
  /** One network a line, or separated by commas. */
  readonly addresses: string;
}

/** A problem of each field, or null. */
export interface RestrictionProblems {
  readonly scopes: string | null;
  readonly allowedAddresses: string | null;
}

export const NO_PROBLEMS: RestrictionProblems = { scopes: null, allowedAddresses: null };

/** The fields that restrict a key. */
export function RestrictionFields({
  entered,
  problems,
  onChange,
}: {
  entered: EnteredRestrictions;
  problems: RestrictionProblems;
  onChange: (entered: EnteredRestrictions) => void;
}) {
  return (
    <>
      <CheckboxGroup
        label="Permissions (none selected: everything but routing rules)"
        choices={KEY_SCOPES}
        values={entered.scopes}
        error={problems.scopes}
        onChange={(scopes) => onChange({ ...entered, scopes })}
      />
      <AreaField
        label="May be used from"
        value={entered.addresses}
        error={problems.allowedAddresses}
        description="IP addresses or networks, one per line: 203.0.113.7, 2001:db8::/32. Empty for anywhere."
        placeholder="Anywhere"
        onChange={(event) => onChange({ ...entered, addresses: event.currentTarget.value })}
      />
    </>
  );
}

/** The entered restrictions as the server takes them. */
export function restrictionsOf({ scopes, addresses }: EnteredRestrictions) {
  return { scopes: [...scopes], allowedAddresses: addresses.split(/[\s,]+/).filter((entry) => entry !== '') };
}

/** The server's problems by field; problems of single entries belong to their list. */
export function restrictionProblems(
  problems: readonly { readonly field: string; readonly message: string }[],
): RestrictionProblems {
  const about = (field: keyof RestrictionProblems) => {
    const messages = problems.filter((one) => one.field === field || one.field.startsWith(`${field}.`)).map((one) => one.message);
    return messages.length === 0 ? null : [...new Set(messages)].join('; ');
  };
  return { scopes: about('scopes'), allowedAddresses: about('allowedAddresses') };
}
