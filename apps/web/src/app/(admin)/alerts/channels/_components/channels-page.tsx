'use client';

import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import dynamic from 'next/dynamic';
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs';
import { Badge } from '#/components/badge/badge.tsx';
import { Button } from '#/components/button/button.tsx';
import { EmptyState } from '#/components/empty-state/empty-state.tsx';
import { BackLink, PageHead } from '#/components/page/page-head.tsx';
import { Refusal } from '#/components/page/refusal.tsx';
import { Moment } from '#/components/time/moment.tsx';
import { showToast } from '#/components/toasts/toast-store.ts';
import { CHANNEL_WORDS, describeSendError } from '#/copy/alerts.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import { useTRPC } from '#/trpc/client.tsx';
import { useCan } from '#/trpc/use-can.ts';
import type { ChannelRow } from './channel-dialog.tsx';

const ChannelDialog = dynamic(() => import('./channel-dialog.tsx').then((module) => module.ChannelDialog));

const doingParsers = { do: parseAsStringLiteral(['add', 'edit'] as const), channel: parseAsString };

/** The channels that are notified of alerts: added, changed, tested and switched off here. */
export function ChannelsPage() {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const scope = useScope();
  const can = useCan();
  const mayAdd = can('alert:configure', scope.merchantId);
  const [doing, setDoing] = useQueryStates(doingParsers, { history: 'push' });
  const { data, error } = useQuery(
    trpc.alerts.channels.queryOptions(
      { merchantId: scope.merchantId },
      { refetchInterval: 5_000, placeholderData: keepPreviousData },
    ),
  );
  const close = () => void setDoing({ do: null, channel: null });
  const changed = () => void queries.invalidateQueries({ queryKey: trpc.alerts.channels.queryKey() });
  const chosen = data?.find(({ channelId }) => channelId === doing.channel);
  return (
    <>
      <BackLink href={hrefIn(scope, '/alerts')}>Alerts</BackLink>
      <PageHead title="Alert channels">
        {mayAdd && (
          <Button variant="accent" onClick={() => void setDoing({ do: 'add' })}>
            Add a channel
          </Button>
        )}
      </PageHead>
      <p className="max-w-[720px] mb-4 text-ink-quiet text-sm">
        {scope.merchantId === null
          ? 'Workspace channels receive alerts about all merchants.'
          : 'These channels receive alerts about this merchant only.'}{' '}
        One message is sent when an alert opens and one when it ends.
      </p>
      <Refusal message={data === undefined && error !== null ? error.message : null} />
      {data === undefined && error === null && (
        <div className="h-[160px] rounded-sm bg-ground-quiet" role="status" aria-label="Loading channels" />
      )}
      {data?.length === 0 && (
        <EmptyState title="No channel yet">
          Add a channel: an e-mail address, Slack, Microsoft Teams, PagerDuty or your own webhook.
        </EmptyState>
      )}
      <ul className="max-w-[1080px]">
        {data?.map((channel) => (
          <Channel
            key={channel.channelId}
            channel={channel}
            onChange={changed}
            onEdit={() => void setDoing({ do: 'edit', channel: channel.channelId })}
          />
        ))}
      </ul>
      {doing.do === 'add' && mayAdd && <ChannelDialog known={null} channels={data ?? []} onDone={changed} onClose={close} />}
      {doing.do === 'edit' && chosen !== undefined && can('alert:configure', chosen.merchantId) && (
        <ChannelDialog known={chosen} channels={data ?? []} onDone={changed} onClose={close} />
      )}
    </>
  );
}

function Channel({ channel, onChange, onEdit }: { channel: ChannelRow; onChange: () => void; onEdit: () => void }) {
  const trpc = useTRPC();
  const can = useCan();
  const { channelId, merchantId, name, kind, targetHint, enabled, last } = channel;
  const options = {
    onSuccess: onChange,
    onError: ({ message }: { readonly message: string }) => showToast({ text: message, tone: 'bad' as const }),
  };
  const update = useMutation(trpc.alerts.updateChannel.mutationOptions(options));
  const test = useMutation(
    trpc.alerts.testChannel.mutationOptions({
      ...options,
      onSuccess: () => {
        onChange();
        showToast({ text: `A test message to “${name}” was queued. Its result appears here.` });
      },
    }),
  );
  return (
    <li className="flex flex-wrap gap-3 items-center justify-between py-3 border-b border-line text-sm">
      <div className="grid gap-1 min-w-0 wrap-anywhere">
        <p className="flex gap-2.5 items-center">
          <strong>{name}</strong>
          <Badge tone={enabled ? 'good' : 'over'}>{enabled ? 'Active' : 'Disabled'}</Badge>
        </p>
        <p className="text-ink-quiet">
          {CHANNEL_WORDS[kind]}, {targetHint} · {merchantId === null ? 'workspace' : 'this merchant'} · {subscriptionOf(channel)}
        </p>
        <p className="text-ink-quiet">
          {last === null ? (
            'No messages yet.'
          ) : (
            <>
              Last message {last.state === 'SENT' ? 'arrived' : 'failed'} <Moment value={last.at} />
              {last.error !== null && `: ${describeSendError(last.error)}`}
            </>
          )}
        </p>
      </div>
      {can('alert:configure', merchantId) && (
        <div className="flex flex-wrap gap-2">
          <Button
            loading={test.isPending}
            onClick={() => test.mutate({ merchantId, channelId })}
            aria-label={`Send test to ${name}`}
          >
            Send test
          </Button>
          <Button onClick={onEdit} aria-label={`Edit ${name}`}>
            Edit
          </Button>
          <Button
            loading={update.isPending}
            onClick={() => update.mutate({ merchantId, channelId, enabled: !enabled })}
            aria-label={`${enabled ? 'Disable' : 'Enable'} ${name}`}
          >
            {enabled ? 'Disable' : 'Enable'}
          </Button>
        </div>
      )}
    </li>
  );
}

/** The subscription of a channel, in a line. */
function subscriptionOf({ modes, kinds, minSeverity, escalationsOnly, quietHours, escalation }: ChannelRow): string {
  if (escalationsOnly) return 'escalations only';
  return [
    modes.join(' and '),
    kinds.length === 0 ? 'all types' : `${kinds.length} ${kinds.length === 1 ? 'type' : 'types'}`,
    minSeverity === 'critical' ? 'critical only' : `from ${minSeverity}`,
    ...(quietHours === null ? [] : [`quiet ${timeText(quietHours.from)}–${timeText(quietHours.to)} (${quietHours.zone})`]),
    ...(escalation === null ? [] : [`escalates after ${escalation.afterMinutes} min`]),
  ].join(', ');
}

function timeText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
}
