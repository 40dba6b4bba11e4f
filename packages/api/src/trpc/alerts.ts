import {
  CHANNEL_KINDS,
  type ChannelSettings,
  createChannel,
  type ListedChannel,
  listChannels,
  removeChannel,
  settingsOf,
  testChannel,
  updateChannel,
} from '@switchyard/alerts/channels';
import { INCIDENT_KINDS, KINDS, SEVERITIES } from '@switchyard/alerts/findings';
import {
  acknowledgeIncident,
  CLOSED_ORDERS,
  countClosed,
  countNotifications,
  listClosed,
  listMutedKinds,
  listNotifications,
  MUTE_HOURS_MAX,
  muteIncident,
  muteKind,
  type NotificationInList,
  readCurrentOutage,
} from '@switchyard/alerts/incidents';
import { NIL_ID } from '@switchyard/db';
import { z } from 'zod';
import { type AlertsCaller, findingScope, findingsInput, isEverywhere, ownerOf, shownIncident, titleOf } from './attention.ts';
import { found, timeZone } from './inputs.ts';
import { permitted, resolveMerchants, router } from './procedure.ts';

const NO_INCIDENT = 'There is no such alert, or you have no access to it.';
const NO_CHANNEL = 'There is no such channel, or you have no access to it.';

const mode = z.enum(['test', 'live']);
/** Null for the workspace. */
const owner = z.uuid().toLowerCase().nullable();
const incidentKey = z.object({ merchantId: owner, incidentId: z.uuid().toLowerCase() });
const channelKey = z.object({ merchantId: owner, channelId: z.uuid().toLowerCase() });
const limit = z.int().min(1).max(100).default(30);
const page = { cursor: z.uuid().toLowerCase().nullish(), limit };
const closedPage = findingsInput.extend({
  /** Null for every severity. */
  severity: z.enum(['critical', 'warning']).nullable().default(null),
  sort: z
    .strictObject({ by: z.enum(CLOSED_ORDERS), descending: z.boolean() })
    .default({ by: CLOSED_ORDERS[0], descending: true }),
  cursor: z.object({ value: z.number(), id: z.uuid().toLowerCase() }).nullish(),
  limit,
});

/** Types only: range problems are returned per field, not thrown. */
const settings = {
  name: z.string().max(500),
  modes: z.array(mode).max(2),
  kinds: z.array(z.enum(INCIDENT_KINDS)).max(INCIDENT_KINDS.length),
  minSeverity: z.enum(SEVERITIES),
  escalationsOnly: z.boolean(),
  groupSeconds: z.number(),
  quietHours: z.object({ zone: z.string().max(100), from: z.number(), to: z.number(), criticalPasses: z.boolean() }).nullable(),
  escalation: z.object({ afterMinutes: z.number(), toChannelId: z.string().max(100) }).nullable(),
};
const target = z.object({
  kind: z.enum(CHANNEL_KINDS),
  to: z.array(z.string().max(320)).max(20).exactOptional(),
  url: z.string().max(4_000).exactOptional(),
  routingKey: z.string().max(200).exactOptional(),
});

const messageFilter = findingsInput.pick({ merchantId: true }).extend({
  incidentId: z.uuid().toLowerCase().nullable().default(null),
  channelId: z.uuid().toLowerCase().nullable().default(null),
});

const reading = permitted('alert:read');
const configuring = permitted('alert:configure');
const acting = permitted('alert:acknowledge');

/** Incidents, the messages about them, and the channels they are sent to. */
export const alerts = router({
  /** The outage of gateways that lasts now, with what it did to payments; null while there is none. */
  outage: reading.input(findingsInput.omit({ zone: true })).query(({ ctx, input }) => {
    return readCurrentOutage(ctx.switchyard.payments, { mode: input.mode, ...findingScope(ctx, input.merchantId) });
  }),
  /** Incidents that are closed, those that began last first unless another order is wanted. */
  history: reading.input(closedPage).query(async ({ ctx, input: { cursor, limit, severity, sort, zone, mode, merchantId } }) => {
    const query = { mode, ...findingScope(ctx, merchantId), severity, sort, after: cursor ?? null, limit };
    const { items, next } = await listClosed(ctx.switchyard, query);
    return { items: items.map((incident) => shownIncident(ctx, incident, zone)), next };
  }),
  /** How many incidents are closed, by severity. */
  historyCounts: reading.input(findingsInput.omit({ zone: true })).query(({ ctx, input }) => {
    return countClosed(ctx.switchyard, { mode: input.mode, ...findingScope(ctx, input.merchantId) });
  }),
  /** Acknowledges an incident: it does not escalate any more. */
  acknowledge: acting.input(incidentKey).mutation(async ({ ctx, input }) => {
    const merchantId = ownerOf(ctx, input.merchantId, 'alert:acknowledge');
    return foundIncident(await acknowledgeIncident(ctx.switchyard, { ...input, merchantId, actor: actorOf(ctx) }));
  }),
  /** Sends no messages about an incident for some hours; 0 ends that. */
  mute: acting.input(incidentKey.extend({ hours: z.number().min(0).max(MUTE_HOURS_MAX) })).mutation(async ({ ctx, input }) => {
    const merchantId = ownerOf(ctx, input.merchantId, 'alert:acknowledge');
    return foundIncident(await muteIncident(ctx.switchyard, { ...input, merchantId, actor: actorOf(ctx) }));
  }),
  /** Sends no messages about a kind for some hours; 0 ends that. */
  muteKind: acting
    .input(z.object({ merchantId: owner, kind: z.enum(INCIDENT_KINDS), hours: z.number().min(0).max(MUTE_HOURS_MAX) }))
    .mutation(async ({ ctx, input }) => {
      const merchantId = ownerOf(ctx, input.merchantId, 'alert:acknowledge');
      await muteKind(ctx.switchyard, { ...input, merchantId, actor: actorOf(ctx) });
      return { kind: 'changed' as const };
    }),
  /** Kinds that are muted now. */
  muted: reading.input(findingsInput.pick({ merchantId: true })).query(async ({ ctx, input }) => {
    const mutes = await listMutedKinds(ctx.switchyard, [...resolveMerchants(ctx, input.merchantId), NIL_ID]);
    return mutes.map(({ merchantId, kind, mutedUntil }) => ({
      merchantId: orNull(merchantId),
      kind,
      title: KINDS[kind].title,
      mutedUntil,
    }));
  }),
  /** The kinds of incidents with their titles and severities. */
  kinds: reading.query(() => INCIDENT_KINDS.map((kind) => ({ kind, title: KINDS[kind].title, severity: KINDS[kind].severity }))),
  /** Messages that were sent and that were not, the latest first unless the oldest are wanted first. */
  messages: reading
    .input(
      messageFilter.extend({
        ...page,
        zone: timeZone.default('UTC'),
        state: z.enum(['PENDING', 'SENT', 'FAILED', 'SKIPPED']).nullable().default(null),
        newestFirst: z.boolean().default(true),
      }),
    )
    .query(async ({ ctx, input: { cursor, limit, zone, state, newestFirst, ...filter } }) => {
      const query = { ...messagesOf(ctx, filter), state, newestFirst, after: cursor ?? null, limit };
      const { items, next } = await listNotifications(ctx.switchyard, query);
      return { items: items.map((item) => shownNotification(ctx, item, zone)), next };
    }),
  /** How many messages there are in each state. */
  messageCounts: reading.input(messageFilter).query(({ ctx, input }) => {
    return countNotifications(ctx.switchyard, messagesOf(ctx, input));
  }),
  /** Channels; never their addresses. */
  channels: reading.input(findingsInput.pick({ merchantId: true })).query(async ({ ctx, input }) => {
    const own = [...resolveMerchants(ctx, input.merchantId)];
    const listed = await listChannels(ctx.switchyard, isEverywhere(ctx, 'alert:read') ? [...own, NIL_ID] : own);
    return listed.map(({ last, ...channel }) => ({ ...shownChannel(channel), last }));
  }),
  /** Adds a channel. The signing secret of a webhook is only in this response. */
  createChannel: configuring
    .input(z.object({ merchantId: owner, target, settings: z.object(settings).partial().extend({ name: settings.name }) }))
    .mutation(({ ctx, input }) => {
      const merchantId = ownerOf(ctx, input.merchantId, 'alert:configure');
      const command = { merchantId, target: input.target, settings: given(input.settings), actor: actorOf(ctx) };
      return createChannel(ctx.switchyard, {
        ...command,
        settings: { ...command.settings, name: input.settings.name },
      });
    }),
  updateChannel: configuring
    .input(
      channelKey.extend({
        target: target.exactOptional(),
        settings: z.object(settings).partial().exactOptional(),
        enabled: z.boolean().exactOptional(),
      }),
    )
    .mutation(async ({ ctx, input: { settings: changes, ...input } }) => {
      const merchantId = ownerOf(ctx, input.merchantId, 'alert:configure');
      const command = { ...input, merchantId, ...(changes && { settings: given(changes) }), actor: actorOf(ctx) };
      return foundChannel(await updateChannel(ctx.switchyard, command));
    }),
  removeChannel: configuring.input(channelKey).mutation(async ({ ctx, input }) => {
    const merchantId = ownerOf(ctx, input.merchantId, 'alert:configure');
    return foundChannel(await removeChannel(ctx.switchyard, { ...input, merchantId, actor: actorOf(ctx) }));
  }),
  /** Sends a real message. Its result is in the log under the id returned. */
  testChannel: configuring.input(channelKey).mutation(async ({ ctx, input }) => {
    const merchantId = ownerOf(ctx, input.merchantId, 'alert:configure');
    return foundChannel(await testChannel(ctx.switchyard, { ...input, merchantId, actor: actorOf(ctx) }));
  }),
});

/** The messages about these merchants to their own channels; with those of the workspace for who sees it. */
function messagesOf(ctx: AlertsCaller, { merchantId, incidentId, channelId }: z.infer<typeof messageFilter>) {
  const own = [...resolveMerchants(ctx, merchantId)];
  const merchantIds = isEverywhere(ctx, 'alert:read') ? [...own, NIL_ID] : own;
  return { merchantIds, channelMerchantIds: merchantIds, incidentId, channelId };
}

function actorOf({ session }: AlertsCaller): string {
  return `staff:${session.staffId}`;
}

function orNull(merchantId: string): string | null {
  return merchantId === NIL_ID ? null : merchantId;
}

/** The settings that were given. */
function given(
  changes: { readonly [Name in keyof ChannelSettings]?: ChannelSettings[Name] | undefined },
): Partial<ChannelSettings> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

function foundIncident<Outcome extends { readonly kind: string }>(outcome: Outcome) {
  return found(outcome, NO_INCIDENT);
}

function foundChannel<Outcome extends { readonly kind: string }>(outcome: Outcome) {
  return found(outcome, NO_CHANNEL);
}

function shownNotification(ctx: AlertsCaller, item: NotificationInList, zone: string) {
  const { id: notificationId, channelId, channelName, channelKind, incidentId, event, state, attempts, error, httpStatus } = item;
  const { incident, nextAttemptAt, sentAt, createdAt } = item;
  return {
    notificationId,
    channelId,
    channelName,
    channelKind,
    incidentId,
    title: incident === null ? 'Test message' : titleOf(ctx, incident, zone),
    event,
    state,
    attempts,
    error,
    httpStatus,
    nextAttemptAt,
    sentAt,
    createdAt,
  };
}

function shownChannel(channel: ListedChannel) {
  const { id: channelId, kind, targetHint, enabled, createdAt, updatedAt } = channel;
  return {
    channelId,
    merchantId: orNull(channel.merchantId),
    kind,
    targetHint,
    enabled,
    createdAt,
    updatedAt,
    ...settingsOf(channel),
  };
}
