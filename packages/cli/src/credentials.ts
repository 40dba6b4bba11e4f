import { readConfig, saveConfig } from './config-files.ts';
import { type Surroundings, UsageError } from './surroundings.ts';

/** Where Switchyard is, and the secret key to call it with. */
export interface Credentials {
  readonly url: string;
  readonly apiKey: string;
}

/** Keeps them for later commands, readable by their owner only. Returns the path of the file. */
export function saveCredentials(surroundings: Surroundings, credentials: Credentials): string {
  return saveConfig(surroundings, 'credentials.json', credentials);
}

/** `SWITCHYARD_URL` and `SWITCHYARD_API_KEY` come before what `login` saved. Throws {@link UsageError} when one is nowhere. */
export function readCredentials(surroundings: Surroundings): Credentials {
  const saved = readSaved(surroundings);
  const url = surroundings.environment.SWITCHYARD_URL || saved.url;
  const apiKey = surroundings.environment.SWITCHYARD_API_KEY || saved.apiKey;
  if (!url || !apiKey) {
    throw new UsageError('Run `switchyard login` first, or set SWITCHYARD_URL and SWITCHYARD_API_KEY.');
  }
  return { url: readUrl(url), apiKey };
}

/** The address where none is named: of the environment, else of the last login. Null when there is neither. */
export function knownAddress(surroundings: Surroundings): string | null {
  return surroundings.environment.SWITCHYARD_URL || readSaved(surroundings).url || null;
}

/** A web address without a slash at its end. Throws {@link UsageError} for anything else. */
export function readUrl(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text))
    throw new UsageError(`${text} is no address such as https://pay.example`);
  return text.replace(/\/+$/, '');
}

function readSaved(surroundings: Surroundings): Partial<Credentials> {
  return readConfig<Credentials>(surroundings, 'credentials.json', 'Run `switchyard login --url https://pay.example` again.');
}
