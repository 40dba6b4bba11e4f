import type { HealthContext } from '@switchyard/provider-health';
import { openSender, type Sender } from '@switchyard/webhooks/sending';
import { type Mailer, openMailer } from './mail.ts';

/** Senders of messages: over HTTP with guarded addresses, and by e-mail where it is set up. */
export interface MessageTools {
  readonly sender: Sender;
  /** Null where e-mail is not set up. */
  readonly mailer: Mailer | null;
}

/** Dependencies of every use case of alerts in the worker. */
export interface AlertsContext extends HealthContext, MessageTools {}

/** Opens the tools of a process from its environment. Close the sender at its end. */
export function openMessageTools(environment: Readonly<Record<string, string | undefined>>): MessageTools {
  return { sender: openSender(), mailer: openMailer(environment) };
}
