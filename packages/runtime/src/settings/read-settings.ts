import { z } from 'zod';
import { descriptions, SETTINGS, type SettingsReader } from './settings.ts';

/** Environment variables of a process by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** An environment variable is missing or invalid; the message names each one. */
export class EnvironmentError extends Error {
  override readonly name = 'EnvironmentError';
}

/**
 * Reads those variables of an environment that a part of {@link SETTINGS} has: `SETTINGS.pick({ PORT: true })`. An empty one counts as not
 * set. Throws {@link EnvironmentError} naming every variable that is wrong.
 */
export function readSettings<Part extends z.ZodObject>(part: Part, environment: Environment): z.output<Part> {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = part.safeParse(set);
  if (parsed.success) return parsed.data;
  const problems = new Map(parsed.error.issues.map(({ path, message }) => [path.join('.'), message]));
  throw new EnvironmentError(
    [...problems].map(([name, message]) => `${name} ${name in set ? message : 'is not set'}`).join('; '),
  );
}

/**
 * Checks every variable that a process reads, before it opens anything. Throws {@link EnvironmentError} naming every variable that is
 * missing or wrong.
 */
export function checkSettings(reader: SettingsReader, environment: Environment): void {
  const own = Object.entries(SETTINGS.shape).filter(([, schema]) => descriptions.get(schema)?.of.includes(reader));
  const hasMail = own.some(([name]) => name === 'SWITCHYARD_MAIL_FROM') && Boolean(environment.SWITCHYARD_SMTP_URL);
  readSettings(z.object({ ...Object.fromEntries(own), ...(hasMail && { SWITCHYARD_MAIL_FROM: MAIL_FROM }) }), environment);
}

const MAIL_FROM = SETTINGS.shape.SWITCHYARD_MAIL_FROM.unwrap();
