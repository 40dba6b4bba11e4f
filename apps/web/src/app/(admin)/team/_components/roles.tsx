'use client';

import { ROLE_LABELS } from '#/copy/roles.ts';
import { type Person, useMerchants } from './use-team.ts';

/** Roles in words, a line each. */
export function Roles({ roles }: { roles: Person['roles'] }) {
  const { name } = useMerchants();
  if (roles.length === 0) return <p className="min-w-0 text-ink-quiet [&_strong]:text-ink [&_strong]:font-medium">No role yet</p>;
  return (
    <ul className="min-w-0 text-ink-quiet [&_strong]:text-ink [&_strong]:font-medium">
      {roles.map(({ merchantId, role }) => (
        <li key={merchantId ?? 'all'}>
          <strong>{ROLE_LABELS[role].name}</strong> {name(merchantId)}
        </li>
      ))}
    </ul>
  );
}
