import { type SealedRows, sealedColumn, type Vault } from '@switchyard/db';
import type { Mode, NotificationChannelKind } from '@switchyard/db/client';
import type { FieldProblem } from '@switchyard/runtime';
import { EMAIL_ADDRESS } from '@switchyard/runtime/email-address';
import { urlProblems } from '@switchyard/webhooks/sending';
import { z } from 'zod';

/** Where PagerDuty takes events, unless the account is in another region. */
const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue';

const url = z.string('must be text').trim().min(1, 'must not be empty').max(2_000, 'must have at most 2000 characters');

/** Where and how a channel is reached. Addresses hold keys: nothing of it is shown or logged except {@link hintOf}. */
export const targetSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('email'),
    to: z
      .array(z.email({ pattern: EMAIL_ADDRESS, error: 'must be an e-mail address' }))
      .min(1, 'must name an address')
      .max(10, 'must name at most 10 addresses'),
  }),
  z.object({ kind: z.literal('slack'), url }),
  z.object({ kind: z.literal('teams'), url }),
  z.object({
    kind: z.literal('pagerduty'),
    routingKey: z
      .string()
      .trim()
      .regex(/^[A-Za-z0-9]{32}$/, 'must be the 32 characters of an integration key'),
    url: url.default(PAGERDUTY_URL),
  }),
  z.object({
    kind: z.literal('webhook'),
    url,
    secret: z.string().regex(/^whsec_[A-Za-z0-9+/=]{24,}$/, 'must be a signing secret'),
  }),
]);

/** See {@link targetSchema}. */
export type Target = z.output<typeof targetSchema>;

/** The mode whose addresses a channel may be at: private ones only where it is notified of nothing live. */
export function addressMode(modes: readonly Mode[]): Mode {
  return modes.includes('live') ? 'live' : 'test';
}

/** The problems of a target's address. `resolved` holds what its name resolves to, as far as that is known. */
export function targetProblems(target: Target, modes: readonly Mode[], resolved: readonly string[] = []): FieldProblem[] {
  return target.kind === 'email' ? [] : urlProblems(target.url, addressMode(modes), resolved);
}

/** The part of a target that may be shown: enough to recognise it, not enough to use it. */
export function hintOf(target: Target): string {
  switch (target.kind) {
    case 'email':
      return target.to.join(', ');
    case 'slack':
    case 'teams':
    case 'webhook':
      return URL.parse(target.url)?.host ?? '';
    case 'pagerduty':
      return `…${target.routingKey.slice(-4)}`;
    default:
      return target satisfies never;
  }
}

interface ChannelKey {
  readonly merchantId: string;
  readonly channelId: string;
}

/** Encrypts a target for the row of its channel. */
export function sealTarget(vault: Vault, target: Target, channel: ChannelKey): string {
  return vault.seal(JSON.stringify(target), channelBinding(channel));
}

/** A channel's target. Throws where it does not open. */
export function openTarget(vault: Vault, sealed: string, channel: ChannelKey): Target {
  return targetSchema.parse(JSON.parse(vault.open(sealed, channelBinding(channel))));
}

/** Binding of a channel's sealed target. */
function channelBinding({ merchantId, channelId }: ChannelKey): string {
  return `notification_channel:${merchantId}:${channelId}`;
}

/** The kinds of channels, in the order in which they are offered. */
export const CHANNEL_KINDS = [
  'email',
  'slack',
  'teams',
  'pagerduty',
  'webhook',
] as const satisfies readonly NotificationChannelKind[];

/** Addresses and keys of notification channels, those of removed channels included. */
export const sealedTargets: SealedRows = sealedColumn({
  name: 'notification channels',
  table: 'notification_channel',
  column: 'target',
  bindingOf: ({ merchantId, id }) => channelBinding({ merchantId, channelId: id }),
});
