import { createSwitchyard, SwitchyardApiError } from '@switchyard/client';
import type { Command } from 'commander';
import { knownAddress, readUrl, saveCredentials } from '../credentials.ts';
import { type Surroundings, UsageError } from '../print.ts';

const FORBIDDEN = 403;

/** `switchyard login` */
export function addLogin(program: Command, surroundings: Surroundings): void {
  program
    .command('login')
    .description('save the address of Switchyard and a secret key, readable by you only; asks for what is missing')
    .option(
      '--url <address>',
      'address of Switchyard, such as https://pay.example; SWITCHYARD_URL or the one of the last login without it',
    )
    .action(async ({ url }: { url?: string }) => {
      const baseUrl = readUrl(url ?? knownAddress(surroundings) ?? (await askAddress(surroundings)));
      const apiKey = (await surroundings.readSecret('Secret key (not shown): ')).trim();
      if (!/^sk_(test|live)_\S+$/.test(apiKey)) throw new UsageError('A secret key begins with sk_test_ or sk_live_.');
      await checkKey(baseUrl, apiKey);
      const path = saveCredentials(surroundings, { url: baseUrl, apiKey });
      surroundings.out(`Logged in to ${baseUrl} in ${apiKey.startsWith('sk_test_') ? 'test' : 'live'} mode. Saved in ${path}.\n`);
    });
}

/** A pipe has the key alone. */
async function askAddress(surroundings: Surroundings): Promise<string> {
  const address = await surroundings.readLine('Address of Switchyard, such as https://pay.example: ');
  if (address !== null) return address.trim();
  throw new UsageError('Say where Switchyard is: `switchyard login --url https://pay.example`, or set SWITCHYARD_URL.');
}

/** Throws when the key is not accepted. One that may not read payments is. */
async function checkKey(baseUrl: string, apiKey: string): Promise<void> {
  try {
    await createSwitchyard({ baseUrl, apiKey }).payments.listPage({ limit: 1 });
  } catch (error) {
    if (error instanceof SwitchyardApiError && error.statusCode === FORBIDDEN && error.message.includes('scope')) return;
    throw error;
  }
}
