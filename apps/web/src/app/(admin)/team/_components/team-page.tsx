'use client';

import { useQuery } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useCallback, useMemo } from 'react';
import { Button } from '#/components/button/button.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { ErrorState } from '#/components/error-state/error-state.tsx';
import { FilterBar } from '#/components/filter-bar/filter-bar.tsx';
import { ListEnd } from '#/components/list/list-end.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { StatusTabs } from '#/components/list/status-tabs.tsx';
import { useList } from '#/components/list/use-list.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { SearchField } from '#/components/search-field/search-field.tsx';
import { WithPanel } from '#/components/side-panel/with-panel.tsx';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import { InvitationList } from './invitation-list.tsx';
import { PeopleTable, TEAM_LIST } from './people-table.tsx';
import { TeamSkeleton } from './team-skeleton.tsx';
import type { Person } from './use-team.ts';

const InviteDialog = dynamic(() => import('./invite-dialog.tsx').then((module) => module.InviteDialog));
const PersonPanel = dynamic(() => import('./person-panel.tsx').then((module) => module.PersonPanel));

const STATES = ['active', 'password_only', 'off'] as const;
const STATE_LABELS = { active: 'Active', password_only: 'Password only', off: 'Disabled' } as const;
const parsers = { person: parseAsString, do: parseAsStringLiteral(['invite']) };
const viewParsers = { state: parseAsStringLiteral(STATES), q: parseAsString.withDefault('') };

/** Staff users and invitations, and the panel of the selected staff user. */
export function TeamPage() {
  const trpc = useTRPC();
  const { data: team, error, refetch } = useQuery(trpc.team.list.queryOptions());
  const { data: me } = useQuery(trpc.me.queryOptions());
  const can = useCan();
  const tools = useList(TEAM_LIST);
  const [{ state, q }, setView] = useQueryStates(viewParsers);
  const [at, setAt] = useQueryStates(parsers, { history: 'push' });
  const canManage = can('team:manage', null);
  const open = team?.people.find(({ staffId }) => staffId === at.person);
  const alone = team !== undefined && team.people.length < 2 && team.invitations.length === 0;
  const found = useMemo(() => (team?.people ?? []).filter((person) => matches(person, q)), [team, q]);
  const people = useMemo(() => peopleIn(found, state), [found, state]);
  const openPerson = useCallback((person: string) => void setAt({ person }), [setAt]);
  const invite = () => void setAt({ do: 'invite' });
  return (
    <WithPanel
      label="Team"
      panel={
        open !== undefined &&
        team !== undefined && (
          <PersonPanel
            key={open.staffId}
            person={open}
            merchantScope={team.merchantScope}
            canManage={canManage}
            isSelf={open.staffId === me?.staffId}
            onClose={() => void setAt({ person: null })}
          />
        )
      }
    >
      <PageHead title="Team">
        <ListTools list={tools} />
        {canManage && (
          <Button variant="accent" onClick={invite}>
            Invite a person
          </Button>
        )}
      </PageHead>
      {error !== null && team === undefined && <ErrorState error={error} onRetry={() => void refetch()} />}
      {team === undefined && error === null && <TeamSkeleton />}
      {team !== undefined && (
        <>
          <StatusTabs
            label="Status"
            tabs={STATES.map((value) => ({
              value,
              label: STATE_LABELS[value],
              count: { count: peopleIn(found, value).length, more: false },
            }))}
            all={{ count: found.length, more: false }}
            chosen={state === null ? [] : [state]}
            onChange={(next) => void setView({ state: next })}
          />
          <FilterBar onClear={null}>
            <SearchField
              label="Search by name or e-mail"
              placeholder="Name or e-mail"
              value={q}
              onSearch={(text) => void setView({ q: text })}
              isInstant
            />
          </FilterBar>
          <PeopleTable people={people} list={tools} ownId={me?.staffId ?? null} openId={at.person} onOpen={openPerson} />
          <ListEnd loaded={people.length} noun={['person', 'people']} />
        </>
      )}
      {alone && (
        <EmptyState
          title="No other team members yet"
          action={canManage && <Button onClick={invite}>Invite a second owner</Button>}
        >
          Invite a second owner first, so that you can restore each other's access. Then invite operators to manage routing, and
          finance users for refunds and reports.
        </EmptyState>
      )}
      {team !== undefined && team.invitations.length > 0 && <InvitationList invitations={team.invitations} />}
      {at.do === 'invite' && canManage && team !== undefined && (
        <InviteDialog merchantScope={team.merchantScope} onClose={() => void setAt({ do: null }, { history: 'replace' })} />
      )}
    </WithPanel>
  );
}

function matches({ name, email }: Person, text: string): boolean {
  const wanted = text.toLowerCase();
  return name.toLowerCase().includes(wanted) || email.toLowerCase().includes(wanted);
}

function peopleIn(people: readonly Person[], state: (typeof STATES)[number] | null): readonly Person[] {
  switch (state) {
    case null:
      return people;
    case 'active':
      return people.filter(({ disabledAt }) => disabledAt === null);
    case 'password_only':
      return people.filter(({ disabledAt, twoFactorEnabled }) => disabledAt === null && !twoFactorEnabled);
    case 'off':
      return people.filter(({ disabledAt }) => disabledAt !== null);
    default:
      return state satisfies never;
  }
}
