'use client';

import { IconX } from '@tabler/icons-react';
import { Button } from '#/components/button/button.tsx';
import { Select } from '#/components/select/select.tsx';
import { type Invitation, type Team, useMerchants, useRoles } from './use-team.ts';

type RoleFor = Invitation['roles'][number];

/** The option for all merchants, whose id is null. */
export const ALL = 'all';
/** The option of a merchant, or of all of them. */
export const optionOf = (merchantId: string | null) => merchantId ?? ALL;

/** One role for all merchants, or one for each of some. */
export function RoleChoices({
  roles,
  merchantScope,
  onChange,
}: {
  roles: readonly RoleFor[];
  merchantScope: Team['merchantScope'];
  onChange: (roles: readonly RoleFor[]) => void;
}) {
  const { merchants } = useMerchants();
  const { describe } = useRoles();
  const mine = merchants.filter(({ merchantId }) => merchantScope.everywhere || merchantScope.merchantIds.includes(merchantId));
  const free = [...(merchantScope.everywhere ? [null] : []), ...mine.map(({ merchantId }) => merchantId)].filter(
    (merchantId) => !roles.some((each) => each.merchantId === merchantId),
  );
  const replace = (at: number, change: Partial<RoleFor>) =>
    onChange(roles.map((each, index) => (index === at ? { ...each, ...change } : each)));
  const [next] = free.filter((merchantId) => merchantId !== null);
  return (
    <fieldset className="grid gap-3 min-w-0 m-0 p-0 border-0 [&_legend]:mb-1.5 [&_legend]:p-0 [&_legend]:text-ink-quiet [&_legend]:text-xs [&_legend]:font-medium">
      <legend>Roles</legend>
      {roles.map(({ merchantId, role }, at) => (
        <div key={optionOf(merchantId)} className="flex flex-wrap gap-2 items-center">
          <RoleSelect value={role} label={`Role ${at + 1}`} onChange={(chosen) => replace(at, { role: chosen })} />
          <span>for</span>
          <MerchantSelect
            value={merchantId}
            label={`Merchant of role ${at + 1}`}
            choices={[merchantId, ...free]}
            onChange={(chosen) => replace(at, { merchantId: chosen })}
          />
          {roles.length > 1 && (
            <button
              type="button"
              className="grid place-items-center w-8 h-8 rounded-md text-ink-quiet hover:bg-ground-hover"
              aria-label={`Remove role ${at + 1}`}
              onClick={() => onChange(roles.filter((_, index) => index !== at))}
            >
              <IconX size={16} stroke={1.8} aria-hidden="true" />
            </button>
          )}
          <p className="basis-full text-ink-faint text-xs first-letter:uppercase">{describe(role).may}</p>
        </div>
      ))}
      {next !== undefined && (
        <div>
          <Button onClick={() => onChange([...roles, { merchantId: next, role: 'viewer' }])}>
            Add a role for another merchant
          </Button>
        </div>
      )}
    </fieldset>
  );
}

/** Chooses one role. */
export function RoleSelect({
  value,
  label,
  disabled = false,
  onChange,
}: {
  value: string;
  label: string;
  disabled?: boolean;
  onChange: (role: string) => void;
}) {
  const { options } = useRoles();
  return <Select label={label} labelPlace="hidden" options={options} value={value} disabled={disabled} onChange={onChange} />;
}

/** Chooses the merchant that a role is for; null is all of them. */
export function MerchantSelect({
  value,
  label,
  choices,
  onChange,
}: {
  value: string | null;
  label: string;
  choices: readonly (string | null)[];
  onChange: (merchantId: string | null) => void;
}) {
  const { name } = useMerchants();
  return (
    <Select
      label={label}
      labelPlace="hidden"
      options={choices.map((merchantId) => ({ value: optionOf(merchantId), label: name(merchantId) }))}
      value={optionOf(value)}
      onChange={(chosen) => onChange(chosen === ALL ? null : chosen)}
    />
  );
}
