import { type Environment, EnvironmentError, readSettings, SETTINGS } from '../settings/settings.ts';

/** An e-mail in plain text. */
export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** Files that come with it. */
  readonly attachments?: readonly { readonly filename: string; readonly contentType: string; readonly content: Buffer }[];
  /** Its `Message-ID`, `<id@host>`: mail programs show two of the same as one. Made anew where it is left out. */
  readonly messageId?: string;
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
        const { attachments = [], ...rest } = email;
        await transport.sendMail({ from, ...rest, attachments: [...attachments] });
      } finally {
        transport.close();
      }
    },
  };
}
