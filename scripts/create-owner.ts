/**
 * Invites an owner of all merchants and prints the link, which works once, for seven days. For the first owner of a new installation,
 * and for when no owner can sign in. Needs the environment of the web process.
 *
 *   npm run owner:create -- --email ada@example.com --name 'Ada Obi'
 */
import { openSwitchyard, type Switchyard } from '@switchyard/api/process';
import { inviteStaff } from '@switchyard/staff/invitations';
import { linkAddress } from '@switchyard/staff/links';
import { Problem } from './bootstrap/problem.mjs';
import { readOptions, runCommand } from './stack/command.ts';

const USAGE = "usage: npm run owner:create -- --email ada@example.com --name 'Ada Obi'";
const ACTOR = 'system:owner-create';

async function createOwner(switchyard: Switchyard, person: { email: string; name: string }): Promise<void> {
  const outcome = await inviteStaff(switchyard, {
    ...person,
    grants: [{ merchantId: null, role: 'owner' }],
    twoFactorRequired: true,
    merchantScope: { everywhere: true, merchantIds: [] },
    actor: ACTOR,
  });
  switch (outcome.kind) {
    case 'invited':
      console.log(`Open this link to choose a password, before ${outcome.link.expiresAt.toISOString()}:\n`);
      console.log(linkAddress(switchyard.resources.publicUrl, 'invitation', outcome.link));
      return;
    case 'invalid':
      throw new Problem(outcome.problems.map(({ field, message }) => `${field} ${message}`).join('; '));
    case 'exists':
      throw new Problem(`${outcome.name} has this address already.`, ['Any owner can make a link for a new password.']);
    case 'unknown_merchant':
    case 'forbidden':
      throw new Problem(`The invitation was refused: ${outcome.kind}.`);
    default:
      outcome satisfies never;
  }
}

await runCommand(
  async () => {
    const { email, name } = readOptions(USAGE, { options: { email: { type: 'string' }, name: { type: 'string' } } }).values;
    if (email === undefined || name === undefined) throw new Problem(USAGE);
    const switchyard = openSwitchyard(process.env, { write: () => undefined });
    await createOwner(switchyard, { email, name }).finally(() => switchyard.close());
    return 0;
  },
  { failed: 1, hint: 'docs/production.md says what has to be set.' },
);
