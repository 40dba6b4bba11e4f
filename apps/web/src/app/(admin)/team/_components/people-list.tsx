'use client';

import { Badge } from '../../../../components/badge.tsx';
import { Moment } from '../../../../components/moment.tsx';
import { ROLE_LABELS } from '../../../../copy/roles.ts';
import classes from './team-page.module.css';
import { type Person, useMerchants } from './use-team.ts';

/** The staff users of the team: name, roles, second factor, and when they were last seen. */
export function PeopleList({
  people,
  ownId,
  openId,
  onOpen,
}: {
  people: readonly Person[];
  ownId: string | null;
  openId: string | null;
  onOpen: (staffId: string) => void;
}) {
  return (
    <ul className={classes.rows} aria-label="People">
      {people.map((person) => (
        <li
          key={person.staffId}
          className={classes.row}
          data-open={person.staffId === openId}
          data-off={person.disabledAt !== null}
        >
          <div className={classes.identity}>
            <button type="button" className={classes.name} data-person={person.staffId} onClick={() => onOpen(person.staffId)}>
              {person.name}
            </button>
            {person.staffId === ownId && <span className={classes.self}>You</span>}
            <span className={classes.email}>{person.email}</span>
          </div>
          <Roles roles={person.roles} />
          <div className={classes.second}>
            <SecondStep person={person} />
          </div>
          <div className={classes.seen}>
            {person.disabledAt !== null ? (
              <Badge tone="over">Switched off</Badge>
            ) : person.lastSeenAt === null ? (
              'Not signed in'
            ) : (
              <>
                Seen <Moment value={person.lastSeenAt} />
              </>
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

function SecondStep({ person: { twoFactorEnabled, twoFactorRequired } }: { person: Person }) {
  if (twoFactorEnabled) return <Badge tone="good">Two-factor</Badge>;
  if (twoFactorRequired)
    return (
      <Badge tone="wait" title="Can do nothing before setting up two-factor sign-in">
        Setup required
      </Badge>
    );
  return (
    <Badge tone="wait" warns>
      Password only
    </Badge>
  );
}

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
