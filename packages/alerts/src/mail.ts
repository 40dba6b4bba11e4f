import { type Environment, EnvironmentError, readSettings, SETTINGS } from '@switchyard/runtime/settings';

/** An e-mail in plain text. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** The outgoing mail transport. Throws when an e-mail could not be handed over. */
export interface Mailer {
  send(email: Email): Promise<void>;
}

const TIMEOUT_MS = 10_000;

const MAIL_SETTINGS = SETTINGS.pick({ SWITCHYARD_SMTP_URL: true, SWITCHYARD_MAIL_FROM: true });

/**
 * The mail transport of an environment, or null when none is configured by `SWITCHYARD_SMTP_URL` and `SWITCHYARD_MAIL_FROM`. Throws
 * when they are invalid. An e-mail takes at most 30 s.
 */
export function openMailer(environment: Environment): Mailer | null {
  const { SWITCHYARD_SMTP_URL: url, SWITCHYARD_MAIL_FROM: from } = readSettings(MAIL_SETTINGS, environment);
  if (url === undefined) return null;
  if (from === undefined) throw new EnvironmentError('SWITCHYARD_MAIL_FROM is not set');
  return {
    async send(email) {
      const { createTransport } = await import('nodemailer');
      const limits = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS };
      const transport = createTransport({ url, ...limits });
      try {
        await transport.sendMail({ from, ...email });
      } finally {
        transport.close();
      }
    },
  };
}
