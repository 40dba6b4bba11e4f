import { z } from 'zod';

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

const environmentSchema = z.object({
  SWITCHYARD_SMTP_URL: z.string().regex(/^smtps?:\/\//, 'must be an smtp:// or smtps:// address'),
  SWITCHYARD_MAIL_FROM: z.string().min(3, 'must say whom letters are from'),
});

/**
 * The mail transport of an environment, or null when none is configured by `SWITCHYARD_SMTP_URL` and `SWITCHYARD_MAIL_FROM`. Throws
 * when they are invalid. An e-mail takes at most 30 s.
 */
export function openMailer(environment: Readonly<Record<string, string | undefined>>): Mailer | null {
  if (!environment.SWITCHYARD_SMTP_URL) return null;
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join('.')} ${issue?.code === 'invalid_type' ? 'is not set' : issue?.message}`);
  }
  const { SWITCHYARD_SMTP_URL: url, SWITCHYARD_MAIL_FROM: from } = parsed.data;
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
