import type { IssuedLink } from './staff-link.ts';

interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

/** Public address and mailer that links are sent with. */
export interface LinkSending {
  /** Our own address, as staff users reach it. */
  readonly publicUrl: string;
  /** Null where e-mail is not configured; throws when an e-mail could not be handed over. */
  readonly mailer: { send(email: Email): Promise<void> } | null;
  readonly onError: (error: unknown, message: string) => void;
}

/** Result of sending a link by e-mail, besides showing it to the staff user who created it. */
export type Delivery = 'sent' | 'failed' | 'not_set_up';

/** Purpose of a link in an e-mail. */
export type LinkPurpose = 'invitation' | 'password_reset';

const PATHS: Record<LinkPurpose, string> = { invitation: '/invitation', password_reset: '/reset-password' };

/** The URL of a link. Its secret follows the `#`, which browsers never send. */
export function linkAddress(publicUrl: string, purpose: LinkPurpose, { token }: IssuedLink): string {
  return `${publicUrl}${PATHS[purpose]}#${token}`;
}

/** E-mails a link to its recipient, where e-mail is configured. */
export async function deliverLink(
  { publicUrl, mailer, onError }: LinkSending,
  purpose: LinkPurpose,
  to: { readonly email: string; readonly name: string },
  link: IssuedLink,
): Promise<Delivery> {
  if (mailer === null) return 'not_set_up';
  try {
    await mailer.send(emailFor(purpose, to, linkAddress(publicUrl, purpose, link), link.expiresAt));
    return 'sent';
  } catch (error) {
    onError(error, `could not send an e-mail for ${purpose}`);
    return 'failed';
  }
}

function emailFor(purpose: LinkPurpose, { email, name }: { email: string; name: string }, address: string, until: Date): Email {
  const end = `It works once, until ${until.toISOString().replace('T', ' ').slice(0, 16)} UTC.`;
  switch (purpose) {
    case 'invitation':
      return {
        to: email,
        subject: 'You are invited to Switchyard',
        text: `Hello ${name},\n\nyou are invited to the Switchyard dashboard. Open this link to choose a password:\n\n${address}\n\n${end}\n`,
      };
    case 'password_reset':
      return {
        to: email,
        subject: 'A new password for Switchyard',
        text: `Hello ${name},\n\nopen this link to choose a new password for Switchyard:\n\n${address}\n\n${end}\nIf you did not ask for it, do nothing: your password stays as it is.\n`,
      };
    default:
      return purpose satisfies never;
  }
}
