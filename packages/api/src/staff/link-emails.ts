import type { Email } from '@switchyard/alerts/mail';
import type { IssuedLink } from '@switchyard/staff';
import type { Switchyard } from '../process.ts';
import { staffMailer } from './mail.ts';

/** Result of sending a link by e-mail, besides showing it to the staff user who created it. */
export type Delivery = 'sent' | 'failed' | 'not_set_up';

/** Purpose of a link in an e-mail. */
export type LinkPurpose = 'invitation' | 'password_reset';

const PATHS: Record<LinkPurpose, string> = { invitation: '/invitation', password_reset: '/reset-password' };

/** The URL of a link. Its secret follows the `#`, which browsers never send. */
export function linkAddress(switchyard: Switchyard, purpose: LinkPurpose, { token }: IssuedLink): string {
  return `${switchyard.resources.publicUrl}${PATHS[purpose]}#${token}`;
}

/** E-mails a link to its recipient, where e-mail is configured. */
export async function deliverLink(
  switchyard: Switchyard,
  purpose: LinkPurpose,
  to: { readonly email: string; readonly name: string },
  link: IssuedLink,
): Promise<Delivery> {
  const mailer = staffMailer(switchyard);
  if (mailer === null) return 'not_set_up';
  try {
    await mailer.send(emailFor(purpose, to, linkAddress(switchyard, purpose, link), link.expiresAt));
    return 'sent';
  } catch (error) {
    switchyard.log.error({ error }, `could not send an e-mail for ${purpose}`);
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
