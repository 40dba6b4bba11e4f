import type { HealthContext } from '@switchyard/provider-health';
import type { RuntimeContext } from '@switchyard/runtime';
import { type Mailer, openMailer } from '@switchyard/runtime/mail';
import { openSender, type Sender } from '@switchyard/webhooks/sending';

/** Senders of messages: over HTTP with guarded addresses, and by e-mail where it is set up. */
export interface MessageTools {
  readonly sender: Sender;
  /** Null where e-mail is not set up. */
  readonly mailer: Mailer | null;
}

/** Dependencies of the use cases of alerts. */
export type AlertsContext = RuntimeContext<'auditKeys' | 'configuration' | 'database'>;

/** Dependencies of channels, whose targets are sealed. */
export type ChannelsContext = RuntimeContext<'auditKeys' | 'configuration' | 'database' | 'vault'>;

/** Dependencies of finding incidents, and of the first channel that is notified of them. */
export interface DetectionContext extends HealthContext {
  readonly resources: HealthContext['resources'] & ChannelsContext['resources'];
}

/** Dependencies of finding what needs a person's attention, with their own work. */
export interface AttentionContext extends HealthContext {
  readonly resources: HealthContext['resources'] & RuntimeContext<'publicUrl' | 'vault'>['resources'];
}

/** Dependencies of sending messages. */
export interface SendingContext extends RuntimeContext<'configuration' | 'database' | 'publicUrl' | 'vault'>, MessageTools {}

/** Opens the tools of a process from its environment. Close the sender at its end. */
export function openMessageTools(environment: Readonly<Record<string, string | undefined>>): MessageTools {
  return { sender: openSender(), mailer: openMailer(environment) };
}
