'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { useCallback, useMemo, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { Dialog } from '#/components/dialog/dialog.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { FilterBar } from '#/components/filter-bar/filter-bar.tsx';
import { ListTools } from '#/components/list/list-tools.tsx';
import { StatusTabs } from '#/components/list/status-tabs.tsx';
import { useList } from '#/components/list/use-list.ts';
import { wholeList } from '#/components/list/use-noun-list.ts';
import { PageHead } from '#/components/page/page-head.tsx';
import { SearchField } from '#/components/search-field/search-field.tsx';
import { WithPanel } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { useNow } from '#/components/time/now.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCanAnywhere } from '#/trpc/use-can.ts';
import { LinkShown } from './link-shown.tsx';
import { PeopleTable, Roles, TEAM_LIST } from './people-table.tsx';
import { ProviderList } from './provider-list.tsx';
import { ProvisioningList } from './provisioning-list.tsx';
import { RoleList } from './role-list.tsx';
import type { Invitation, Person, ShownLink } from './use-team.ts';

const InviteDialog = dynamic(() => import('./invite-dialog.tsx').then((module) => module.InviteDialog));
const PersonPanel = dynamic(() => import('./person-panel.tsx').then((module) => module.PersonPanel));

const STATES = ['active', 'password_only', 'off'] as const;
const STATE_LABELS = { active: 'Active', password_only: 'Password only', off: 'Disabled' } as const;
const parsers = { person: parseAsString, do: parseAsStringLiteral(['invite']) };
const viewParsers = { state: parseAsStringLiteral(STATES), q: parseAsString.withDefault('') };

/** Staff users and invitations, and the panel of the selected staff user. */
export function TeamPage() {
  const trpc = useTRPC();
  const query = useQuery(trpc.team.list.queryOptions());
  const team = query.data;
  const { data: me } = useQuery(trpc.me.queryOptions());
  const tools = useList(TEAM_LIST);
  const [{ state, q }, setView] = useQueryStates(viewParsers);
  const [at, setAt] = useQueryStates(parsers, { history: 'push' });
  const canManage = useCanAnywhere()('team:manage');
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
        </>
      )}
      <PeopleTable
        people={wholeList(query, team && people)}
        tools={tools}
        ownId={me?.staffId ?? null}
        openId={at.person}
        onOpen={openPerson}
      />
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
      {team !== undefined && <RoleList />}
      {team?.merchantScope.everywhere === true && canManage && <ProviderList people={team.people} />}
      {team?.merchantScope.everywhere === true && canManage && <ProvisioningList />}
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

/** Open invitations. */
function InvitationList({ invitations }: { invitations: readonly Invitation[] }) {
  const [link, setLink] = useState<ShownLink | null>(null);
  return (
    <section className="mt-8" aria-labelledby="invitations">
      <h2 className="mb-2 text-lg font-semibold" id="invitations">
        Invited
      </h2>
      <ul className="-mx-3 border-t border-line">
        {invitations.map((invitation) => (
          <Line key={invitation.linkId} invitation={invitation} onLink={setLink} />
        ))}
      </ul>
      {link !== null && (
        <Dialog title={`A new link for ${link.name}`} locked onClose={() => setLink(null)}>
          <LinkShown link={link} purpose="invitation" onDone={() => setLink(null)} />
        </Dialog>
      )}
    </section>
  );
}

function Line({ invitation, onLink }: { invitation: Invitation; onLink: (link: ShownLink) => void }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const now = useNow();
  const settled = { onSettled: () => queries.invalidateQueries({ queryKey: trpc.team.list.queryKey() }) };
  const failed = ({ message }: { message: string }) => void showToast({ text: message, tone: 'bad' });
  const renew = useMutation(trpc.team.renewInvitation.mutationOptions({ ...settled, onSuccess: onLink, onError: failed }));
  const restore = useMutation(trpc.team.restoreInvitation.mutationOptions(settled));
  const { linkId, name, email, roles, invitedBy, invitedAt, expiresAt, manageable } = invitation;
  const withdraw = useMutation(
    trpc.team.withdrawInvitation.mutationOptions({
      ...settled,
      onError: failed,
      onSuccess: () => {
        const action = { label: 'Undo', run: () => restore.mutateAsync({ linkId }) };
        showToast({ text: `The invitation of ${name} was revoked. The link no longer works.`, action });
      },
    }),
  );
  const mayManage = useCanAnywhere()('team:manage') && manageable;
  const over = expiresAt.getTime() < now;
  return (
    <li className="relative grid grid-cols-[minmax(200px,1.2fr)_minmax(180px,1fr)_170px_auto] gap-x-5 gap-y-1 items-center min-h-14 py-2 px-3 border-b border-line text-sm hover:bg-ground-quiet @max-[759px]/page:grid-cols-1 @max-[759px]/page:py-3">
      <div className="min-w-0">
        <span className={over ? 'text-ink-faint font-medium' : 'font-medium'}>{name}</span>
        <span className="block text-ink-faint text-xs truncate">{email}</span>
      </div>
      <Roles roles={roles} />
      <p className="text-ink-faint text-xs">
        By {invitedBy} <Moment value={invitedAt} />
        <br />
        {over ? 'Expired ' : 'Expires '}
        <Moment value={expiresAt} tense="either" />
      </p>
      <div className="flex flex-wrap gap-2 justify-end @max-[759px]/page:justify-start">
        {mayManage && (
          <>
            <Button loading={renew.isPending} onClick={() => renew.mutate({ linkId })} aria-label={`New link for ${name}`}>
              New link
            </Button>
            <Button
              loading={withdraw.isPending}
              onClick={() => withdraw.mutate({ linkId })}
              aria-label={`Revoke the invitation of ${name}`}
            >
              Revoke
            </Button>
          </>
        )}
      </div>
    </li>
  );
}
