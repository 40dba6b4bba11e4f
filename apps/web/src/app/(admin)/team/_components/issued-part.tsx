'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import Link from 'next/link';
import { type ReactNode, useState } from 'react';
import { Button } from '#/components/button/button.tsx';
import { PanelPart } from '#/components/side-panel/side-panel.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import type { RouterOutputs } from '#/trpc/outputs.ts';
import { type Person, useMerchants } from './use-team.ts';

type Issued = RouterOutputs['team']['issued'];
type Kind = 'tokenIds' | 'linkIds' | 'keyIds' | 'runIds';

interface Revocable {
  readonly kind: Kind;
  readonly id: string;
  readonly text: string;
  readonly about: ReactNode;
}

/** Keys, tokens, invitations and links that a person issued, each to be chosen and revoked, and what they set up, to be looked at. */
export function IssuedPart({ person: { staffId, name } }: { person: Person }) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { name: merchantName } = useMerchants();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { data } = useQuery(trpc.team.issued.queryOptions({ staffId }));
  const revoke = useMutation(
    trpc.team.revokeIssued.mutationOptions({
      onSuccess: ({ revoked }) => void showToast({ text: `Revoked: ${revoked}.` }),
      onError: ({ message }) => void showToast({ text: message, tone: 'bad' }),
      async onSettled() {
        setChosen(new Set());
        await queries.invalidateQueries({ queryKey: trpc.team.pathKey() });
      },
    }),
  );
  if (data === undefined) return null;
  const revocable = revocableOf(data, merchantName);
  const toChoose = revocable.filter(({ id }) => chosen.has(id));
  const idsOf = (kind: Kind) => toChoose.filter((one) => one.kind === kind).map(({ id }) => id);
  const choose = (id: string, isChosen: boolean) =>
    setChosen((before) => new Set(isChosen ? [...before, id] : [...before].filter((one) => one !== id)));
  return (
    <PanelPart title={`Issued by ${name}`}>
      {revocable.map(({ id, text, about }) => (
        <label key={id} className="box-label gap-2.5">
          <input type="checkbox" checked={chosen.has(id)} onChange={(event) => choose(id, event.currentTarget.checked)} />
          <span>
            {text}
            <small className="block text-ink-faint text-xs">{about}</small>
          </span>
        </label>
      ))}
      {revocable.length === 0 && (
        <p className="text-ink-quiet text-sm">No token, key, invitation or link to a file that works.</p>
      )}
      {revocable.length > 0 && (
        <div className="flex flex-wrap gap-2 items-center">
          <Button
            variant="danger"
            loading={revoke.isPending}
            disabled={toChoose.length === 0}
            onClick={() =>
              revoke.mutate({
                staffId,
                tokenIds: idsOf('tokenIds'),
                linkIds: idsOf('linkIds'),
                keyIds: idsOf('keyIds'),
                runIds: idsOf('runIds'),
              })
            }
          >
            Revoke chosen
          </Button>
          <Button onClick={() => setChosen(new Set(revocable.map(({ id }) => id)))}>Choose all</Button>
        </div>
      )}
      <SetUp issued={data} />
    </PanelPart>
  );
}

function revocableOf(issued: Issued, merchantName: (merchantId: string) => string): Revocable[] {
  return [
    ...issued.keys.map(({ keyId: id, name, lastFour, mode, merchantId, createdAt }): Revocable => {
      const about = [merchantName(merchantId), ', issued ', <Moment key="at" value={createdAt} />];
      return { kind: 'keyIds', id, text: `${mode === 'live' ? 'Live' : 'Test'} API key ${name} …${lastFour}`, about };
    }),
    ...issued.tokens.map(({ tokenId: id, name, lastFour, scopes, createdAt }): Revocable => {
      const about = [scopes.join(', '), ', issued ', <Moment key="at" value={createdAt} />];
      return { kind: 'tokenIds', id, text: `Machine token ${name} …${lastFour}`, about };
    }),
    ...issued.invitations.map(({ linkId: id, email, createdAt }): Revocable => {
      return { kind: 'linkIds', id, text: `Invitation of ${email}`, about: ['Sent ', <Moment key="at" value={createdAt} />] };
    }),
    ...issued.downloads.map(({ runId: id, name, period, expiresAt }): Revocable => {
      const about = ['Works until ', <Moment key="at" value={expiresAt} />];
      return { kind: 'runIds', id, text: `Link to ${name}, ${period}`, about };
    }),
  ];
}

/** Endpoints, channels and reports that an intruder may have changed: each is put right or removed on its own page. */
function SetUp({ issued }: { issued: Issued }) {
  const scope = useScope();
  const items = [
    ...issued.roles.map(({ staffId, name, role, merchantId, createdAt: at }) => {
      const key = `${staffId} ${merchantId}`;
      return { key, text: `Made ${name} ${role}`, href: hrefIn(scope, '/team', { person: staffId }), at };
    }),
    ...issued.endpoints.map(({ endpointId: key, url, merchantId, mode, at }) => {
      return { key, text: `Webhook endpoint ${url}`, href: hrefIn({ merchantId, mode }, `/webhooks/endpoints/${key}`), at };
    }),
    ...issued.channels.map(({ channelId: key, name, at }) => {
      return { key, text: `Alert channel ${name}`, href: hrefIn(scope, '/alerts/channels'), at };
    }),
    ...issued.schedules.map(({ scheduleId: key, name, recipients, at }) => {
      const to = recipients === 0 ? 'no one' : recipients === 1 ? 'one address' : `${recipients} addresses`;
      return { key, text: `Report ${name}, sent to ${to}`, href: hrefIn(scope, '/reports/scheduled'), at };
    }),
  ];
  if (items.length === 0) return null;
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {items.map(({ key, text, href, at }) => (
        <li key={key}>
          <Link href={href}>{text}</Link>, <Moment value={at} />
        </li>
      ))}
    </ul>
  );
}
