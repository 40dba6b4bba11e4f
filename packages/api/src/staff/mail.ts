import { type Mailer, openMailer } from '@switchyard/alerts/mail';
import type { Switchyard } from '../process.ts';

const opened = new WeakMap<Switchyard, Mailer | null>();

/** The mail transport of this process, or null when none is configured. Throws when its settings are invalid. */
export function staffMailer(switchyard: Switchyard): Mailer | null {
  const known = opened.get(switchyard);
  if (known !== undefined) return known;
  const mailer = openMailer(process.env);
  opened.set(switchyard, mailer);
  return mailer;
}
