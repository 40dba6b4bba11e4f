'use client';

import { ROLE_LABELS } from '#/copy/roles.ts';
import classes from './roles.module.css';
import { type Person, useMerchants } from './use-team.ts';

/** Roles in words, a line each. */
export function Roles({ roles }: { roles: Person['roles'] }) {
  const { name } = useMerchants();
  if (roles.length === 0) return <p className={classes.roles}>No role yet</p>;
  return (
    <ul className={classes.roles}>
      {roles.map(({ merchantId, role }) => (
        <li key={merchantId ?? 'all'}>
          <strong>{ROLE_LABELS[role].name}</strong> {name(merchantId)}
        </li>
      ))}
    </ul>
  );
}
